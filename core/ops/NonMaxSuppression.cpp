// NonMaxSuppression (opset9): boxes [B, N, 4], scores [B, C, N], and up to four numbers: maximum boxes per class, IoU
// threshold, score threshold, soft_nms_sigma. Outputs: selected indices [M, 3], selected scores [M, 3], their number
// [1]. Attributes: box_encoding (corner | center), sort_result_descending, output_type.

#include <algorithm>

#include "core/ops/op_def.h"

namespace mo {
namespace {

void infer_non_max_suppression(InferContext& c) {
  c.require_rank(0, 3, 3);
  c.require_rank(1, 3, 3);
  for (int i = 2; i < 6; ++i) c.require_rank(i, 0, 1);
  const PartialShape &boxes = c.shape(0), &scores = c.shape(1);
  Dimension most = kAnyDimension;
  if (boxes.has_rank() && scores.has_rank()) {
    const auto batch = intersect(boxes[0], scores[0]), count = intersect(boxes[1], scores[2]);
    if (!batch || !count || !intersect(boxes[2], 4))
      c.fail(Code::ShapeMismatch, msg("boxes [", to_string(boxes), "], scores [", to_string(scores), "]"));
    Interval each = *count;
    if (const auto limit = c.exact_int(2)) each = min(each, std::max<int64_t>(*limit, 0));
    most = {0, (*batch * scores[1] * each).max};
  }
  c.set(0, {most, 3}, c.node().get_type("output_type", ElementType::I64));
  if (c.node().out_count() > 1) c.set(1, {most, 3}, ElementType::F32);
  if (c.node().out_count() > 2) c.set(2, {1}, c.node().get_type("output_type", ElementType::I64));
}

void attributes_non_max_suppression(const Node& n, IrAttributes& a) {
  a.add("box_encoding", n.get_string("box_encoding", "corner"));
  a.add("sort_result_descending", n.get_bool("sort_result_descending", true));
  a.add("output_type", n.get_type("output_type", ElementType::I64));
}

constexpr OpDef kNonMaxSuppressionDefs[] = {
    {.op = "NonMaxSuppression",
     .type = "NonMaxSuppression",
     .version = "opset9",
     .infer = infer_non_max_suppression,
     .ir_attributes = attributes_non_max_suppression},
};

}  // namespace

OpFamily ops_NonMaxSuppression() { return kNonMaxSuppressionDefs; }

}  // namespace mo

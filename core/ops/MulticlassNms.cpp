// MulticlassNms (opset9), MatrixNms (opset8): boxes [N, M, 4], scores [N, classes, M]; or
// boxes of each class [classes, M, 4], scores [classes, M] and how many of the boxes each image has [N]. Outputs: rows
// [S, 6] of class, score and corners, their indices [S, 1], and how many each image has [N].

#include "core/ops/detection.h"
#include "core/ops/known.h"

namespace mo {
namespace {

void infer_multiclass_nms(InferContext& c) {
  require_inputs(c, 2);
  const bool counted = c.node().op() == "MulticlassNms" && c.has_in(2);
  c.require_rank(0, 3, 3);
  c.require_rank(1, counted ? 2 : 3, counted ? 2 : 3);
  c.require_rank(2, 1, 1);
  agree(c, dimension_of(c, 0, 2), 4, "numbers of a box");
  const Dimension boxes = agree(c, dimension_of(c, 0, 1), dimension_of(c, 1, counted ? 1 : 2), "boxes and scores");
  const Dimension first = agree(c, dimension_of(c, 0, 0), dimension_of(c, 1, 0), "boxes and scores");
  const Dimension images = counted ? dimension_of(c, 2, 0) : first, classes = counted ? first : dimension_of(c, 1, 1);
  const auto limit = [&](const char* name) {
    const int64_t most = count_of(c, name, -1);
    return most < 0 ? Interval(Interval::kInfinity) : Interval(most);
  };
  const Interval of_class = min(boxes, limit("nms_top_k")), of_image = min(of_class * classes, limit("keep_top_k"));
  count_of(c, "background_class", -1);
  const Dimension most{0, to_dimension(of_image * images).max};
  const ElementType type = c.node().get_type("output_type", ElementType::I64);
  c.set(0, {most, 6}, c.type(0));
  if (c.node().out_count() > 1) c.set(1, {most, 1}, type);
  if (c.node().out_count() > 2) c.set(2, {images}, type);
}

void attributes_of_both(const Node& n, IrAttributes& a) {
  a.add("sort_result_type", n.get_string("sort_result_type", "none"));
  a.add("output_type", n.get_type("output_type", ElementType::I64));
  a.add("nms_top_k", n.get_int("nms_top_k", -1));
  a.add("keep_top_k", n.get_int("keep_top_k", -1));
  a.add("sort_result_across_batch", n.get_bool("sort_result_across_batch"));
  a.add("score_threshold", n.get_float("score_threshold"));
  a.add("background_class", n.get_int("background_class", -1));
  a.add("normalized", n.get_bool("normalized", true));
}

void attributes_multiclass_nms(const Node& n, IrAttributes& a) {
  attributes_of_both(n, a);
  a.add("iou_threshold", n.get_float("iou_threshold"));
  a.add("nms_eta", n.get_float("nms_eta", 1));
}

void attributes_matrix_nms(const Node& n, IrAttributes& a) {
  attributes_of_both(n, a);
  a.add("decay_function", n.get_string("decay_function", "linear"));
  a.add("gaussian_sigma", n.get_float("gaussian_sigma", 2));
  a.add("post_threshold", n.get_float("post_threshold"));
}

constexpr OpDef kMulticlassNmsDefs[] = {
    {.op = "MulticlassNms",
     .type = "MulticlassNms",
     .version = "opset9",
     .infer = infer_multiclass_nms,
     .ir_attributes = attributes_multiclass_nms},
    {.op = "MatrixNms",
     .type = "MatrixNms",
     .version = "opset8",
     .infer = infer_multiclass_nms,
     .ir_attributes = attributes_matrix_nms},
};

}  // namespace

OpFamily ops_MulticlassNms() { return kMulticlassNmsDefs; }

}  // namespace mo

// NormalizeL2 (opset1): data divided by its L2 norm over the axes of input 1.
// Attributes: eps, eps_mode ("add", "max").

#include "core/ops/op_def.h"

namespace mo {
namespace {

void infer_normalize_l2(InferContext& c) {
  c.require_rank(1, 0, 1);
  if (const auto axes = c.exact_ints(1); axes && c.shape(0).has_rank())
    for (const int64_t axis : *axes) normalize_axis(axis, c.shape(0).rank());
  c.set(0, c.shape(0), c.type(0));
}

void attributes_normalize_l2(const Node& n, IrAttributes& a) {
  a.add("eps", n.get_float("eps"));
  a.add("eps_mode", n.get_string("eps_mode", "add"));
}

constexpr OpDef kNormalizeL2Defs[] = {
    {.op = "NormalizeL2",
     .type = "NormalizeL2",
     .version = "opset1",
     .infer = infer_normalize_l2,
     .ir_attributes = attributes_normalize_l2,
     .layout = {LayoutClass::Follows, {{LayoutRule::Kind::Axis, {}, 1}}}},
};

}  // namespace

OpFamily ops_NormalizeL2() { return kNormalizeL2Defs; }

}  // namespace mo

// Before: y = pnorm(x) {p, group}
// After:  y = the p-norms of the groups: ReduceL1, ReduceL2, or (Σ |x|^p)^(1/p); the number of elements that are not 0
//         for p = 0, the largest magnitude for infinity
// Conditions: none.

#include <cmath>

#include "core/front/kaldi/decompose/lowering.h"

namespace mo {
namespace {

class ReplacePNormNodePattern final : public kaldi::Lowering {
  std::string_view op() const override { return "pnorm"; }

  OutPort lowered(Builder& b, Node& node) override {
    const OutPort groups = b.reshape(node.source(0), {-1, node.get_int("group")});
    return b.reshape(norms(b, groups, node.get_float("p")), {1, -1});
  }

  static OutPort norms(Builder& b, OutPort x, double p) {
    if (p == 1 || p == 2) return b.reduce(p == 1 ? "ReduceL1" : "ReduceL2", x, {1}, false);
    if (std::isinf(p)) return b.reduce("ReduceMax", b.op("Abs", {x}), {1}, false);
    const OutPort size = b.op("Abs", {x});
    if (p == 0) return b.reduce("ReduceSum", b.op("Sign", {size}), {1}, false);
    const auto number = [&](double value) { return b.f32_scalar(static_cast<float>(value)); };
    const OutPort sum = b.reduce("ReduceSum", b.op("Pow", {size, number(p)}), {1}, false);
    return b.op("Pow", {sum, number(1 / p)});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(ReplacePNormNodePattern)
}  // namespace mo

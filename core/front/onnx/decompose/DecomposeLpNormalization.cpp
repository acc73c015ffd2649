// Before: y = LpNormalization(x) {axis, p: 2}
// After:  y = NormalizeL2(x, axis)
// Before: y = LpNormalization(x) {axis, p: 1}
// After:  y = x / max(ReduceL1(x, axis), a tiny number)
// If all elements are 0, y is 0.
// Conditions: p is 1 or 2.

#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeLpNormalization final : public Decomposition {
 public:
  Names ops() const override { return {"LpNormalization"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0), axes = b.i64({node.get_int("axis")});
    const int64_t p = node.get_int("p");
    // Norms below 1e-12 count as 1e-12, as in the frameworks; norms of real data are far larger.
    if (p == 2) return {b.op("NormalizeL2", {x, axes}, {{"eps", 1e-24}, {"eps_mode", "max"}})};
    if (p != 1) throw Error(Code::BadAttribute, msg("p is ", p));
    const double least = x.tensor().type == ElementType::F16 ? 0x1p-24 : 1e-24;
    const OutPort norm = b.op("ReduceL1", {x, axes}, {{"keep_dims", true}});
    return {b.op("Div", {x, b.op("Maximum", {norm, b.scalar_like(norm, least)})})};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeLpNormalization)
}  // namespace mo

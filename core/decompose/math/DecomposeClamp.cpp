// Before: y = Clamp(x, min, max), either bound is optional                   ONNX's Clip from operator set 11 on
// After:  y = AttributedClamp(x) {min, max}            bounds known, floating point, min <= max
//         y = ReLU(x)                                  min is 0, no max
//         y = Minimum(Maximum(x, min), max)            otherwise; if min > max, the result is max everywhere
// Conditions: none.

#include "core/decompose/math/constants.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeClamp final : public Decomposition {
 public:
  Names ops() const override { return {"Clamp"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0);
    const bool has_min = node.has_in(1), has_max = node.has_in(2);
    const auto min = has_min ? known_number(b, node.source(1)) : std::nullopt;
    const auto max = has_max ? known_number(b, node.source(2)) : std::nullopt;
    if (is_float(x.tensor().type)) {
      if (min && max && *min <= *max) return {b.op("AttributedClamp", {x}, {{"min", *min}, {"max", *max}})};
      if (min && !has_max && *min == 0) return {b.op("ReLU", {x})};
    }
    OutPort y = x;
    if (has_min) y = b.op("Maximum", {y, bound(b, x, node.source(1))});
    if (has_max) y = b.op("Minimum", {y, bound(b, x, node.source(2))});
    return {y};
  }

 private:
  /// A bound of shape [1] would add that dimension to a scalar.
  static OutPort bound(Builder& b, OutPort x, OutPort bound) {
    return bound.tensor().shape.rank() == 1 && x.tensor().shape.rank() < 1 ? reshaped(b, bound, {}) : bound;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeClamp)
}  // namespace mo

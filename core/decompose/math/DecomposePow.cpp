// Before: y = Pow(x, exponent), inputs of different types; y has the type of x
// After:  y = Power(x, Convert(exponent))
//         x of integers, a floating-point exponent: Convert(Power(Convert(x), exponent))
// Before: y = Reciprocal(x)
// After:  y = Divide(1, x)
// Conditions: none.

#include "core/decompose/math/constants.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposePow final : public Decomposition {
 public:
  Names ops() const override { return {"Pow", "Reciprocal"}; }
  bool applies(const Node& node) const override {
    if (node.op() == "Reciprocal") return true;
    return node.has_in(0) && node.has_in(1) && node.source(0).tensor().type != node.source(1).tensor().type;
  }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0);
    if (node.op() == "Reciprocal") return {b.op("Div", {splat_like(b, x, {}, 1), x})};
    const OutPort exponent = node.source(1);
    const bool through_float = is_integer(x.tensor().type) && is_float(exponent.tensor().type);
    if (!through_float) return {b.op("Pow", {x, convert_like(b, exponent, x)})};
    const OutPort power = b.op("Pow", {b.convert(x, exponent.tensor().type), exponent});
    return {b.convert(power, x.tensor().type)};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposePow)
}  // namespace mo

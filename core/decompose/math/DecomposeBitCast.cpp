// Before: y = BitCast(x) {to}
// After:  for a constant x the same bytes in the other type; else y = Convert(x) if that keeps the bits
// Conditions: both types have the same size; x is constant, or both are integers or booleans.

#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeBitCast final : public Decomposition {
 public:
  Names ops() const override { return {"BitCast"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0);
    const ElementType from = x.tensor().type, to = node.get_type("to");
    if (from == to) return {x};
    if (bits(from) != bits(to) || bits(to) == 0)
      throw Error(Code::UnsupportedForm, msg("BitCast from ", ir_name(from), " to ", ir_name(to)));
    if (const auto& value = x.tensor().value) return {b.constant({to, value->shape, value->content})};
    const auto counts = [](ElementType type) { return is_integer(type) || type == ElementType::Bool; };
    if (!counts(from) || !counts(to))
      throw Error(Code::UnsupportedForm, msg("BitCast from ", ir_name(from), " to ", ir_name(to)));
    return {b.convert(x, to)};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeBitCast)
}  // namespace mo

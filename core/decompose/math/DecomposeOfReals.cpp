// Before: y = OfReals(x) {operation, same_type}
// After:  y = operation(x), or of integers operation(Convert(x)), with same_type as their type again
// Before: y = Inverted(x) {bits}
// After:  y = LogicalNot(x); of numbers x == 0, or with bits BitwiseNot(x)
// Before: y = Truncate(x)
// After:  y = Ceiling(x) below 0, else Floor(x); integers stay
// Before: y = Atan2OfReals(y, x)
// After:  y = Atan2(y, x), of integers in f64
// Before: y = DivOfReals(a, b)
// After:  y = a / b, of integers in f32
// Before: y = NumberFor(x, like)
// After:  y = x as the type of like, a scalar if like may be one
// Conditions: none.

#include "core/decompose/math/constants.h"
#include "core/decompose/math/formula.h"
#include "core/decompose/shaping/shaping.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeOfReals final : public Decomposition {
 public:
  Names ops() const override { return {"OfReals", "Inverted", "Truncate", "Atan2OfReals", "DivOfReals", "NumberFor"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    require_input(node, 0);
    OutPort x = node.source(0);
    const ElementType type = x.tensor().type;
    if (node.op() == "Inverted") {
      if (type == ElementType::Bool) return {b.op("LogicalNot", {x})};
      if (node.get_bool("bits")) return {b.op("BitwiseNot", {x})};
      return {b.op("Equal", {x, splat_like(b, x, {}, 0)})};
    }
    if (node.op() == "Truncate") return is_integer(type) ? std::vector{x} : evaluate(b, node, "Truncated(x)", {x});
    if (node.op() == "NumberFor") {
      require_input(node, 1);
      const OutPort number = convert_like(b, x, node.source(1));
      return {x.tensor().shape.rank() == 1 && node.source(1).tensor().shape.rank() > 0 ? number : to_scalar(b, number)};
    }
    if (node.op() == "Atan2OfReals") {
      const auto real = [&](OutPort port) { return is_integer(type) ? b.convert(port, ElementType::F64) : port; };
      require_input(node, 1);
      const OutPort y = real(x);
      return evaluate(b, node, formula_of("Atan2"), {y, real(node.source(1))});
    }
    if (is_integer(type)) x = b.convert(x, ElementType::F32);
    if (node.op() == "DivOfReals") {
      require_input(node, 1);
      const OutPort y = node.source(1);
      return {b.op("Div", {x, is_integer(y.tensor().type) ? b.convert(y, ElementType::F32) : y})};
    }
    const std::string operation = node.get_string("operation");
    const std::string_view formula = formula_of(operation);
    const OutPort y = formula.empty() ? b.op(operation.c_str(), {x}) : evaluate(b, node, formula, {x})[0];
    return {is_integer(type) && node.get_int("same_type") != 0 ? b.convert(y, type) : y};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeOfReals)
}  // namespace mo

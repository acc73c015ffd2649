// Before: y = WithScalar(x) {operation, scalar, whole, reversed, truth}
// After:  y = operation(x, scalar), or reversed operation(scalar, x); what compares or combines truths, as the type of
// x The number gets the type of x: rounded towards 0 for integers, if it is a whole one by its attribute; integers meet
// another number, and booleans any, as f64 (i64).
// Conditions: none.

#include <cmath>

#include "core/base/text.h"
#include "core/decompose/math/constants.h"
#include "core/decompose/math/formula.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeWithScalar final : public Decomposition {
 public:
  Names ops() const override { return {"WithScalar"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    require_input(node, 0);
    std::string operation = node.get_string("operation");
    const bool whole = node.get_bool("whole", true);
    double scalar = node.get_float("scalar");
    OutPort x = node.source(0);
    const ElementType given = x.tensor().type;
    constexpr std::string_view kOfReals = "OfReals";
    const bool real = operation.ends_with(kOfReals);
    if (real) operation.resize(operation.size() - kOfReals.size());
    if (real && is_integer(given))
      x = b.convert(x, ElementType::F32);
    else if (given == ElementType::Bool)
      x = b.convert(x, whole ? ElementType::I64 : ElementType::F64);
    else if (is_integer(given) && !whole)
      x = b.convert(x, ElementType::F64);
    if (is_integer(x.tensor().type)) scalar = std::trunc(scalar);
    if (operation.starts_with("Logical")) {
      const OutPort truth = b.op("NotEqual", {x, splat_like(b, x, {}, 0)});
      const OutPort other = b.constant(make_scalar(ElementType::Bool, scalar != 0));
      return {convert_like(b, b.op(operation.c_str(), {truth, other}), x)};
    }
    const OutPort number = splat_like(b, x, {}, scalar);
    const bool reversed = node.get_bool("reversed");
    const OutPort left = reversed ? number : x, right = reversed ? x : number;
    if (operation == "Div") return {b.op("Div", {left, right}, {{"m_pythondiv", false}})};
    if (operation == "ModOrZero" && !reversed && scalar != 0) return {b.op("FloorMod", {left, right})};
    if (const std::string_view formula = formula_of(operation); !formula.empty())
      return evaluate(b, node, formula, {left, right});
    const OutPort y = b.op(operation.c_str(), {left, right});
    return {y.tensor().type == ElementType::Bool && !node.get_bool("truth") ? convert_like(b, y, x) : y};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeWithScalar)
}  // namespace mo

// Before: y = Aligned(a, b) {operation, axis}
// After:  y = operation(a, b), the one of fewer dimensions as [its dimensions, 1…]
//         of booleans: Mul LogicalAnd; BitwiseAnd, Or, Xor the logical ones; comparisons of numbers
//         LogicalAnd, Or, Xor of numbers: of whether they are not 0
//         FloorDiv, FMax, FMin, Heaviside: their formulas
// Conditions: with an axis the ranks are known. The operation is computed as PaddlePaddle does: integers are divided
// towards 0 by Div, and down by FloorDiv.

#include <algorithm>

#include "core/decompose/math/constants.h"
#include "core/decompose/math/formula.h"
#include "core/decompose/shaping/shaping.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeAligned final : public Decomposition {
 public:
  Names ops() const override { return {"Aligned"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    require_input(node, 0);
    require_input(node, 1);
    OutPort x = node.source(0), y = node.source(1);
    if (node.get_int("axis") >= 0) align(b, x, y, node.get_int("axis"));
    std::string operation = node.get_string("operation");
    const ElementType type = x.tensor().type;
    if (type == ElementType::Bool) {
      operation = of_booleans(operation);
      if (operation.starts_with("Less") || operation.starts_with("Greater"))
        x = b.convert(x, ElementType::I32), y = b.convert(y, ElementType::I32);
    } else if (operation.starts_with("Logical")) {
      x = is_not_0(b, x), y = is_not_0(b, y);
    }
    if (is_integer(type)) operation = of_integers(operation);
    if (const std::string_view formula = formula_of(operation); !formula.empty())
      return evaluate(b, node, formula, {x, y});
    if (operation == "Div") return {b.op("Div", {x, y}, {{"m_pythondiv", false}})};
    return {b.op(operation.c_str(), {x, y})};
  }

 private:
  /// Dimensions of 1 at the end of the one of fewer dimensions do not count.
  static void align(Builder& b, OutPort& x, OutPort& y, int64_t axis) {
    const int x_rank = x.tensor().shape.rank(), y_rank = y.tensor().shape.rank();
    if (x_rank < 0 || y_rank < 0) throw Error(Code::UnsupportedForm, "broadcast from an axis on with unknown rank");
    if (x_rank == y_rank) return;
    OutPort& less = x_rank < y_rank ? x : y;
    const int64_t rank = std::max(x_rank, y_rank);
    const PartialShape& shape = less.tensor().shape;
    int64_t kept = shape.rank();
    Ints dropped;
    while (axis + kept > rank && kept > 0 && shape[static_cast<size_t>(kept - 1)] == Dimension(1))
      dropped.push_back(--kept);
    if (axis + kept > rank)
      throw Error(Code::BadAttribute, msg("axis is ", axis, " for inputs of ", x_rank, " and ", y_rank, " dimensions"));
    if (!dropped.empty()) less = b.squeeze(less, dropped);
    less = aligned_at(b, less, axis, rank);
  }

  static OutPort is_not_0(Builder& b, OutPort x) { return b.op("NotEqual", {x, splat_like(b, x, {}, 0)}); }

  static std::string of_booleans(const std::string& operation) {
    if (operation == "Mul") return "LogicalAnd";
    return operation.starts_with("Bitwise") ? "Logical" + operation.substr(7) : operation;
  }

  static std::string of_integers(const std::string& operation) {
    if (operation == "FloorDiv") return "FloorDivOfIntegers";
    if (operation == "FMax") return "Maximum";
    return operation == "FMin" ? "Minimum" : operation;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeAligned)
}  // namespace mo

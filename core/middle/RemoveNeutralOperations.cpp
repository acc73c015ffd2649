// Before: x + 0, x - 0, x * 1, x / 1
// After:  x
// Conditions: the operand is a constant of at most kMaxElements that does not change the shape or type of x: a
// floating-point one, or i32 or i64.

#include <algorithm>

#include "core/rewrite/middle_replacement.h"

namespace mo {
namespace {

class RemoveNeutralOperations final : public MiddleReplacementPattern {
 public:
  Names run_after() const override { return {"Fusing"}; }
  Names run_before() const override { return {"PostMiddleStart"}; }
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    for (const char* op : {"Add", "Sub", "Mul", "Div"})
      for (Node* node : graph.nodes(op)) remove_if_neutral(graph, *node);
  }

 private:
  static constexpr uint64_t kMaxElements = 1 << 16;

  static void remove_if_neutral(Graph& graph, Node& node) {
    const bool multiplies = node.op() == "Mul" || node.op() == "Div",
               ordered = node.op() == "Sub" || node.op() == "Div";
    for (int i = 0; i < (ordered ? 1 : 2); ++i) {
      const OutPort x = node.source(i), operand = node.source(1 - i);
      if (node.in_count() != 2 || !x || !operand || x.tensor().value) continue;
      if (!leaves_shape(operand.tensor(), x.tensor()) || !is_all(operand, multiplies ? 1 : 0)) continue;
      node.out(0).connection().set_source(x, TensorNames::Merge);
      graph.remove(node);
      return;
    }
  }

  /// Integers of fewer bits are zero points of quantised weights, which have their form.
  static bool can_be_neutral(ElementType type) {
    return is_float(type) || type == ElementType::I32 || type == ElementType::I64;
  }

  static bool leaves_shape(const Tensor& operand, const Tensor& x) {
    if (!operand.value || operand.from_shape || operand.type != x.type || !can_be_neutral(x.type) || !x.shape.has_rank())
      return false;
    const Shape& shape = operand.value->shape;
    const size_t rank = x.shape.dimensions().size();
    if (shape.size() > rank) return false;
    for (size_t i = 0; i < shape.size(); ++i)
      if (shape[i] != 1 && !(x.shape[rank - shape.size() + i] == Dimension(shape[i]))) return false;
    return true;
  }

  /// Checks the first number before the others: biases are many and long, and for most of them that is enough.
  static bool is_all(OutPort operand, double number) {
    const Constant& value = *operand.tensor().value;
    Files& files = operand.node().graph().files();
    const uint64_t count = value.elements();
    if (count == 0 || count > kMaxElements) return false;
    const Constant first = slice(reshape(value, {static_cast<int64_t>(count)}), 0, 0, 1);
    const auto is_number = [&](double v) { return v == number; };
    if (!is_number(read_doubles(first, files, 1).value()[0])) return false;
    const std::vector<double> numbers = read_doubles(value, files, kMaxElements).value();
    return std::all_of(numbers.begin(), numbers.end(), is_number);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(RemoveNeutralOperations)
}  // namespace mo

// Before: y = Gather((Cast(table) - zero) * scale, indices, axis)
// After:  y = (Cast(Gather(table, indices, axis)) - zero') * scale'
//         where zero' and scale' are gathered, too, if they vary along the axis
// Conditions: the table is a constant of integers; zero and scale are constants, and one of them varies along an axis
// behind one along which it does not, as a scale for each column does. A runtime keeps such a table as it is, and takes
// the numbers of another row, or memory behind them.

#include <algorithm>

#include "core/back/constant_operands.h"
#include "core/base/text.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class GatherOfScaledColumns final : public BackReplacementPattern {
 public:
  Names run_after() const override { return {"GatherNormalizer", "ReshapeOfReduced"}; }
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes("Gather"))
      if (const auto table = table_of(*node)) gather_first(graph, *node, *table);
  }

 private:
  /// What dequantises a table, the last operation first.
  struct Table {
    OutPort numbers;
    std::vector<Node*> steps;
    int64_t axis = 0;
  };

  static std::optional<Table> table_of(const Node& gather) {
    if (gather.get_int("batch_dims") != 0 || !gather.has_in(2)) return std::nullopt;
    const auto axis = gather.source(2).exact_ints();
    const PartialShape& shape = gather.source(0).tensor().shape;
    const PartialShape& indices = gather.source(1).tensor().shape;
    if (!axis || axis->size() != 1 || !shape.is_static() || !indices.has_rank()) return std::nullopt;
    Table table;
    bool varies = false;
    OutPort x = gather.source(0);
    while (is_one_of(x.node().op(), {"Mul", "Sub"}) && table.steps.size() < 2) {
      Node& step = x.node();
      const int data = data_of(step);
      const OutPort numbers = constant_of(step.source(1 - data));
      if (!numbers) return std::nullopt;
      varies |= varies_behind_one(numbers.tensor().value->shape, shape.to_shape());
      table.steps.push_back(&step);
      x = step.source(data);
    }
    if (!varies || x.node().op() != "Cast" || x.tensor().shape != shape) return std::nullopt;
    table.numbers = x.node().source(0);
    if (!is_constant(table.numbers) || !is_integer(table.numbers.tensor().type)) return std::nullopt;
    table.steps.push_back(&x.node());
    table.axis = static_cast<int64_t>(normalize_axis((*axis)[0], shape.rank()));
    return table;
  }

  static int data_of(const Node& step) { return step.op() == "Mul" ? data_input(step) : 0; }

  /// The constant that an operand is, or is converted from; an empty port if it is neither.
  static OutPort constant_of(OutPort operand) {
    if (operand && operand.node().op() == "Cast") operand = operand.node().source(0);
    return is_constant(operand) ? operand : OutPort();
  }

  static bool varies_behind_one(const Shape& constant, const Shape& table) {
    const size_t missing = table.size() - std::min(constant.size(), table.size());
    bool is_one = false;
    for (size_t i = 0; i < table.size(); ++i) {
      const int64_t size = i < missing ? 1 : constant[i - missing];
      if (size != 1 && is_one) return true;
      is_one |= size == 1 && table[i] != 1;
    }
    return false;
  }

  static void gather_first(Graph& graph, Node& gather, const Table& table) {
    Builder b(gather);
    const OutPort indices = gather.source(1), axis = b.i64_scalar(table.axis);
    OutPort y = b.op("Gather", {table.numbers, indices, axis});
    const auto rank = static_cast<size_t>(table.numbers.tensor().shape.rank());
    for (size_t i = table.steps.size(); i-- > 0;) {
      Node& step = *table.steps[i];
      if (step.op() == "Cast") {
        y = b.convert(y, step.out(0).tensor().type);
        continue;
      }
      const OutPort constant = constant_of(step.source(1 - data_of(step)));
      const Shape& shape = constant.tensor().value->shape;
      Ints aligned(rank - std::min(shape.size(), rank), 1);
      aligned.insert(aligned.end(), shape.begin(), shape.end());
      const auto along = aligned.begin() + static_cast<std::ptrdiff_t>(table.axis);
      OutPort numbers;
      if (*along != 1) {
        numbers = b.op("Gather", {b.reshape(constant, aligned, false), indices, axis});
      } else {
        const Ints ones(static_cast<size_t>(indices.tensor().shape.rank()), 1);
        aligned.insert(aligned.erase(along), ones.begin(), ones.end());
        numbers = b.reshape(constant, aligned, false);
      }
      const ElementType type = y.tensor().type;
      y = b.op(step.op().c_str(), {y, numbers.tensor().type == type ? numbers : b.convert(numbers, type)});
    }
    graph.replace(gather, y.node());
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(GatherOfScaledColumns)
}  // namespace mo

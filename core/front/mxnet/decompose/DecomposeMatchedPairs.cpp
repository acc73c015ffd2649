// Before: rows, columns = MatchedPairs(x […, n, m]) {threshold, least_first, most}
// After:  a TensorIterator that takes the best element, notes its row and its column, and leaves both out, as often as
//         there are rows and columns
// An element that is no better than the threshold is not taken, nor any after it. With `most`, one more than that are
// taken, as MXNet does it.
// Conditions: the rank of x is known.

#include <limits>

#include "core/build/loop_builder.h"
#include "core/decompose/math/formula.h"
#include "core/decompose/shaping/shaping.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeMatchedPairs final : public Decomposition {
 public:
  Names ops() const override { return {"MatchedPairs"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort given = node.source(0);
    const int rank = given.tensor().shape.rank();
    if (rank < 2)
      throw Error(Code::UnsupportedForm, msg("[", to_string(given.tensor().shape), "], not rows of columns"));
    const OutPort sizes = b.dims_of(given, {rank - 2, rank - 1});
    const OutPort x = b.op("Reshape", {given, b.concat({b.i64({-1}), sizes}, 0)}, {{"special_zero", false}});
    const OutPort count = b.dims_of(x, {0}), n = dimension_of(b, x, 1), m = dimension_of(b, x, 2);
    const auto none = [&](OutPort size) {
      const OutPort shape = b.concat({count, b.reshape(size, {1}, false)}, 0);
      return b.op("Broadcast", {b.i64_scalar(-1), shape}, {{"mode", "numpy"}});
    };
    const OutPort rows = none(n), columns = none(m);
    OutPort turns = b.op("Minimum", {n, m});
    if (const int64_t most = node.get_int("most"); most > 0) turns = b.op("Minimum", {turns, b.i64_scalar(most + 1)});
    const OutPort turn = b.op("Range", {b.i64_scalar(0), turns, b.i64_scalar(1)});
    const OutPort row_numbers = numbers(b, n), column_numbers = numbers(b, m);
    const Taken taken = loop(b, node, {x, rows, columns}, turn, row_numbers, column_numbers);
    return {shaped(b, given, taken.rows, rank, rank - 2), shaped(b, given, taken.columns, rank, rank - 1)};
  }

 private:
  struct Taken {
    OutPort x, rows, columns;
  };

  /// [1, size]
  static OutPort numbers(Builder& b, OutPort size) {
    return b.unsqueeze(b.op("Range", {b.i64_scalar(0), size, b.i64_scalar(1)}), {0});
  }

  static Taken loop(Builder& b, const Node& node, const Taken& first, OutPort turn, OutPort row_numbers,
                    OutPort column_numbers) {
    const bool least_first = node.get_bool("least_first");
    constexpr float kWorst = std::numeric_limits<float>::infinity();
    LoopBuilder loop(b);
    const OutPort now = loop.each(turn, 0);
    const OutPort x = loop.state(first.x), rows = loop.state(first.rows), columns = loop.state(first.columns);
    const OutPort all_rows = loop.invariant(row_numbers), all_columns = loop.invariant(column_numbers);
    Builder& step = loop.body();
    const OutPort list = step.reshape(x, {0, -1});
    Node& best = step.node("TopK", {list, step.i64_scalar(1)},
                           {{"axis", int64_t{1}},
                            {"mode", least_first ? "min" : "max"},
                            {"sort", "value"},
                            {"index_element_type", ElementType::I64}},
                           2);
    const OutPort threshold = step.scalar_like(x, node.get_float("threshold"));
    const OutPort is_good = step.op(least_first ? "Less" : "Greater", {best.out(0), threshold});
    const OutPort width = dimension_of(step, x, 2);
    // A loop has as many iterations as what it reads has slices.
    const OutPort place = step.op("Add", {best.out(1), step.op("Mul", {now, step.i64_scalar(0)})});
    const OutPort row = step.op("Div", {place, width}, {{"m_pythondiv", false}});
    const OutPort column = step.op("FloorMod", {place, width});
    const auto at = [&](OutPort all, OutPort number) {
      return step.op("LogicalAnd", {step.op("Equal", {all, number}), is_good});
    };
    const OutPort at_row = at(all_rows, row), at_column = at(all_columns, column);
    loop.carry(x,
               step.op("Select", {step.op("LogicalOr", {step.unsqueeze(at_row, {2}), step.unsqueeze(at_column, {1})}),
                                  step.scalar_like(x, static_cast<double>(least_first ? kWorst : -kWorst)), x}));
    const OutPort of_rows = loop.carry(rows, step.op("Select", {at_row, column, rows}));
    const OutPort of_columns = loop.carry(columns, step.op("Select", {at_column, row, columns}));
    loop.finish();
    return {{}, of_rows, of_columns};
  }

  /// In the shape of x without the other axis, and of its type.
  static OutPort shaped(Builder& b, OutPort x, OutPort y, int rank, int axis) {
    Ints kept;
    for (int i = 0; i < rank - 2; ++i) kept.push_back(i);
    kept.push_back(axis);
    const OutPort shape = b.dims_of(x, kept);
    return b.op("ConvertLike", {b.op("Reshape", {y, shape}, {{"special_zero", false}}), x});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeMatchedPairs)
}  // namespace mo

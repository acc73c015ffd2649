// Before: y = Kron(a, b)
// After:  y = Reshape(Unsqueeze(a, odd axes) * Unsqueeze(b, even axes))
// Before: y = CrossAlong(a, b) {axis}
// After:  y = a[1, 2, 0] * b[2, 0, 1] - a[2, 0, 1] * b[1, 2, 0]
// Before: y = MatrixPower(x) {n}
// After:  y = x * x * …, with squares; n = 0: Eye; below 0: of the inverse
// Before: y = Trace(x) {offset, axis1, axis2}
// After:  y = ReduceSum(Select(column == row + offset, x, 0)); rows are the lower of the two axes
// Conditions: ranks are known.

#include <algorithm>

#include "core/decompose/math/constants.h"
#include "core/decompose/shaping/shaping.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

int known_rank(OutPort x) {
  const int rank = x.tensor().shape.rank();
  if (rank < 0) throw Error(Code::UnsupportedForm, "a tensor of unknown rank");
  return rank;
}

class DecomposeMatrixFunction final : public Decomposition {
 public:
  Names ops() const override { return {"Kron", "CrossAlong", "MatrixPower", "Trace"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    require_input(node, 0);
    const OutPort x = node.source(0);
    if (node.op() == "MatrixPower") return {power(b, x, node.get_int("n"))};
    if (node.op() == "Trace") return {trace(b, x, node)};
    require_input(node, 1);
    const OutPort y = node.source(1);
    return {node.op() == "Kron" ? kron(b, x, y) : cross(b, x, y, axis_of_three(node))};
  }

 private:
  static OutPort kron(Builder& b, OutPort x, OutPort y) {
    const int x_rank = known_rank(x), y_rank = known_rank(y), rank = std::max(x_rank, y_rank);
    const auto spread = [&](OutPort port, int given, bool first) {
      Ints axes;
      for (int i = 0; i < rank; ++i) {
        if (i < rank - given) axes.push_back(first ? 2 * i : 2 * i + 1);
        axes.push_back(first ? 2 * i + 1 : 2 * i);
      }
      std::sort(axes.begin(), axes.end());
      return axes.empty() ? port : b.unsqueeze(port, axes);
    };
    const OutPort left = spread(x, x_rank, true), right = spread(y, y_rank, false);
    const OutPort product = b.op("Mul", {left, right});
    Ints even, odd;
    for (int i = 0; i < rank; ++i) even.push_back(2 * i), odd.push_back(2 * i + 1);
    const OutPort outer = b.dims_of(product, even), inner = b.dims_of(product, odd);
    return b.op("Reshape", {product, b.op("Mul", {outer, inner})}, {{"special_zero", false}});
  }

  static int64_t axis_of_three(const Node& node) {
    const PartialShape& shape = node.source(0).tensor().shape;
    const int rank = known_rank(node.source(0));
    if (node.has("axis")) return static_cast<int64_t>(normalize_axis(node.get_int("axis"), rank));
    for (int i = 0; i < rank; ++i)
      if (shape[static_cast<size_t>(i)] == Dimension(3)) return i;
    throw Error(Code::UnsupportedForm, msg("no dimension of [", to_string(shape), "] is 3"));
  }

  static OutPort cross(Builder& b, OutPort x, OutPort y, int64_t axis) {
    const OutPort next = b.i64({1, 2, 0}), before = b.i64({2, 0, 1});
    const OutPort x_next = b.gather(x, next, axis), y_before = b.gather(y, before, axis);
    const OutPort x_before = b.gather(x, before, axis), y_next = b.gather(y, next, axis);
    const OutPort plus = b.op("Mul", {x_next, y_before}), minus = b.op("Mul", {x_before, y_next});
    return b.op("Sub", {plus, minus});
  }

  static OutPort power(Builder& b, OutPort x, int64_t n) {
    constexpr int64_t kMost = int64_t{1} << 31;
    if (n < -kMost || n > kMost) throw Error(Code::BadAttribute, msg("n is ", n));
    if (n == 0) return identity_like(b, x);
    OutPort square = n < 0 ? b.op("Inverse", {x}) : x, y;
    for (uint64_t left = static_cast<uint64_t>(n < 0 ? -n : n); left; left >>= 1) {
      if (left & 1) y = y ? b.matmul({y, square}) : square;
      if (left > 1) square = b.matmul({square, square});
    }
    return y;
  }

  static OutPort identity_like(Builder& b, OutPort x) {
    const OutPort shape = b.shape_of(x);
    const OutPort on = on_diagonal(b, x, known_rank(x), 0);
    const OutPort one = splat_like(b, x, {}, 1), zero = splat_like(b, x, {}, 0);
    return b.op("Broadcast", {b.op("Select", {on, one, zero}), shape}, {{"mode", "numpy"}});
  }

  /// [rows, columns] of the last two dimensions: whether the column is that of the row plus an offset.
  static OutPort on_diagonal(Builder& b, OutPort x, int64_t rank, int64_t offset) {
    const OutPort rows = counted(b, dimension_of(b, x, rank - 2)), columns = counted(b, dimension_of(b, x, rank - 1));
    const OutPort shifted = offset == 0 ? rows : b.op("Add", {rows, b.i64_scalar(offset)});
    return b.op("Equal", {b.unsqueeze(shifted, {1}), columns});
  }

  static OutPort trace(Builder& b, OutPort x, const Node& node) {
    const int rank = known_rank(x);
    auto first = static_cast<int64_t>(normalize_axis(node.get_int("axis1"), rank)),
         second = static_cast<int64_t>(normalize_axis(node.get_int("axis2"), rank));
    // PaddlePaddle 2 takes the offset along the later axis, whichever it is.
    if (first > second && !node.get_bool("is_usual")) std::swap(first, second);
    if (first == second) throw Error(Code::BadAttribute, msg("axis1 and axis2 are ", first));
    Ints order;
    for (int64_t i = 0; i < rank; ++i)
      if (i != first && i != second) order.push_back(i);
    order.push_back(first);
    order.push_back(second);
    if (!std::is_sorted(order.begin(), order.end())) x = b.transpose(x, order);
    const OutPort on = on_diagonal(b, x, rank, node.get_int("offset"));
    const OutPort chosen = b.op("Select", {on, x, splat_like(b, x, {}, 0)});
    return b.reduce("ReduceSum", chosen, {-2, -1}, false);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeMatrixFunction)
}  // namespace mo

// Before: y = Diagonal(x, k) {axis1, axis2}
// After:  y = MatrixDiagPart(x with these axes last, k)
// Before: y = EmbeddedDiagonal(x, k) {axis1, axis2}
// After:  y = MatrixDiag(x, k), whose last axes become these
// Before: y = DiagonalOrMatrix(x, k) {padding, axis1, axis2}
// After:  y = MatrixDiag(x, k, padding) of a list, else Diagonal(x, k) {axis1, axis2}
// Before: y = WithDiagonal(x, diagonal, k) {axis1, axis2}
// After:  y = MatrixSetDiag(x with these axes last, diagonal, k), whose last axes become these
// Before: y = Renorm(x) {p, root, axis, most}
// After:  y = x * (most / norm, where the norm of a slice is larger); p = infinity: the largest magnitude is the norm
// Conditions: the rank of x is known.

#include <cmath>

#include "core/decompose/math/formula.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeDiagonal final : public Decomposition {
 public:
  Names ops() const override { return {"Diagonal", "EmbeddedDiagonal", "DiagonalOrMatrix", "WithDiagonal", "Renorm"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    OutPort x = node.source(0);
    const int rank = x.tensor().shape.rank();
    if (rank < 0) throw Error(Code::UnsupportedForm, "a tensor of unknown rank");
    if (node.op() == "Renorm") return {renorm(b, node, x, rank)};
    if (node.op() == "WithDiagonal") return {replaced(b, node, x, rank)};
    const OutPort k = node.source(1);
    if (node.op() == "DiagonalOrMatrix") {
      if (rank > 1) return {diagonal(b, node, x, rank)};
      return evaluate(b, node, "MatrixDiag(x,y,<-1>,<-1>,ConvertLike(@padding,x))", {x, k});
    }
    if (node.op() == "Diagonal") {
      if (rank < 2) throw Error(Code::RankMismatch, msg("a diagonal of ", rank, " dimensions"));
      return {diagonal(b, node, x, rank)};
    }
    const OutPort y = evaluate(b, node, "MatrixDiag(x,y)", {x, k})[0];
    return {moved_back(b, y, last_two(node, rank + 1))};
  }

 private:
  static OutPort diagonal(Builder& b, const Node& node, OutPort x, int rank) {
    const Ints order = last_two(node, rank);
    if (!is_ascending(order)) x = b.transpose(x, order);
    return evaluate(b, node, "MatrixDiagPart(x,y)", {x, node.source(1)})[0];
  }

  static OutPort moved_back(Builder& b, OutPort y, const Ints& order) {
    if (is_ascending(order)) return y;
    Ints back(order.size());
    for (size_t i = 0; i < order.size(); ++i) back[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
    return b.transpose(y, back);
  }

  static OutPort replaced(Builder& b, const Node& node, OutPort x, int rank) {
    if (rank < 2) throw Error(Code::RankMismatch, msg("a diagonal of ", rank, " dimensions"));
    const Ints order = last_two(node, rank);
    if (!is_ascending(order)) x = b.transpose(x, order);
    return moved_back(b, evaluate(b, node, "MatrixSetDiag(x,y,z)", {x, node.source(1), node.source(2)})[0], order);
  }

  /// All axes, those of the node last.
  static Ints last_two(const Node& node, int rank) {
    const auto axis = [&](const char* name) { return static_cast<int64_t>(normalize_axis(node.get_int(name), rank)); };
    const int64_t row = axis("axis1"), column = axis("axis2");
    if (row == column) throw Error(Code::BadAttribute, msg("axis ", row, " twice"));
    Ints order;
    for (int64_t i = 0; i < rank; ++i)
      if (i != row && i != column) order.push_back(i);
    order.push_back(row);
    order.push_back(column);
    return order;
  }

  static bool is_ascending(const Ints& order) {
    for (size_t i = 0; i < order.size(); ++i)
      if (order[i] != static_cast<int64_t>(i)) return false;
    return true;
  }

  static OutPort renorm(Builder& b, const Node& node, OutPort x, int rank) {
    const auto axis = static_cast<int64_t>(normalize_axis(node.get_int("axis"), rank));
    Ints others;
    for (int64_t i = 0; i < rank; ++i)
      if (i != axis) others.push_back(i);
    const bool is_largest = std::isinf(node.get_float("p"));
    const OutPort norm = evaluate(
        b, node, is_largest ? "ReduceMax(Abs(x),y)" : "Pow(ReduceSum(Pow(Abs(x),@p),y),@root)", {x, b.i64(others)})[0];
    return evaluate(b, node, "Mul(x,Select(Greater(y,@most),Div(@most,Add(y,1e-7)),1))", {x, norm})[0];
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeDiagonal)
}  // namespace mo

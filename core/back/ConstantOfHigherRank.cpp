// Before: y = f(x, c), f: arithmetic of two tensors; c: a constant of higher rank than x
// After:  y = f(Unsqueeze(x), c)
// Conditions: the axes that x lacks are 1 in c; x is a product of open size, or computed from one element by element;
// or c has one element, and x comes from an operation that only moves numbers. A runtime joins c with what is before x,
// and the result lacks these axes.

#include <algorithm>
#include <numeric>

#include "core/back/constant_operands.h"
#include "core/base/text.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

constexpr const char* kArithmetic[] = {"Add",     "Sub", "Mul",      "Div", "Maximum",
                                       "Minimum", "Pow", "FloorMod", "Mod", "SquaredDifference"};
constexpr std::string_view kMoves[] = {"Reshape", "Squeeze",      "Unsqueeze",    "Transpose", "Gather",
                                       "Split",   "DepthToSpace", "StridedSlice", "Broadcast", "ReverseSequence"};

class ConstantOfHigherRank final : public BackReplacementPattern {
 public:
  Names run_after() const override { return {"MatMulByChannel", "FuseTransposesSequence", "SimplifyReshapePatterns"}; }
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    for (const char* op : kArithmetic)
      for (Node* node : graph.nodes(op))
        for (int i = 0; i < 2; ++i) {
          const OutPort x = node->source(i), other = node->source(1 - i);
          if (!x || is_constant(x) || !is_constant(other)) continue;
          const int rank = x.tensor().shape.rank();
          const Shape& shape = other.tensor().value->shape;
          const auto lacked = static_cast<int>(shape.size()) - rank;
          if (rank < 0 || lacked < 1) continue;
          if (std::count(shape.begin(), shape.begin() + lacked, 1) != lacked) continue;
          const bool one = element_count(shape) == 1;
          if (!only_reader(x) || !((one && is_moved(x.node())) || is_product(x))) continue;
          Ints axes(static_cast<size_t>(lacked));
          std::iota(axes.begin(), axes.end(), 0);
          Builder b(*node);
          node->in(i).connect(b.unsqueeze(x, axes));
        }
  }

 private:
  static bool is_moved(const Node& node) { return is_one_of(node.op(), kMoves); }

  static bool is_product(OutPort x) {
    while (only_reader(x)) {
      const Node& node = x.node();
      if (node.op() == "MatMul") return !x.tensor().shape.is_static();
      int data = 0;
      if (node.in_count() == 2 && is_constant(node.source(0))) data = 1;
      if (node.in_count() < 1 || !joins_constants(node, data)) return false;
      x = node.source(data);
    }
    return false;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(ConstantOfHigherRank)
}  // namespace mo

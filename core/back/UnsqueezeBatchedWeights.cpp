// Before: y = MatMul(a [?, K], weights [B, K, N]), or a [?, ?, K]
// After:  y = Squeeze(MatMul(a, weights [1, B, K, N]), 0)
// Conditions: the weights are constant and have three dimensions, B is not 1; a has a dimension that is not known, and
// its batch may be smaller than B. The CPU plugin compiles weights of four dimensions, known sizes, and two inputs of a
// model, but not this; with three dimensions of a it stops at a batch of 1.

#include "core/back/constant_operands.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class UnsqueezeBatchedWeights final : public BackReplacementPattern {
 public:
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes("MatMul")) {
      const OutPort a = node->source(0), weights = node->source(1);
      if (!a || !weights || a.tensor().shape.is_static() || !is_made_of_constants(weights)) continue;
      const PartialShape &left = a.tensor().shape, &right = weights.tensor().shape;
      if (right.rank() != 3 || right[0] == Dimension(1)) continue;
      if (left.rank() != 2 && (left.rank() != 3 || (left[0].is_exact() && left[0] == right[0]))) continue;
      Builder b(*node);
      Node& product = b.node("MatMul", {a, b.unsqueeze(weights, {0})}, node->attributes);
      graph.replace(*node, b.node("Squeeze", {product.out(0), b.i64({0})}));
    }
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(UnsqueezeBatchedWeights)
}  // namespace mo

// Before: y = MatMul(x [M, 1], w [1, 1])
// After:  y = Mul(x, w)
// Conditions: the sizes of x are known, and it is not transposed. A runtime with one thread joins consecutive products
// with weights, takes weights of one number for a scalar, and does not compile that.

#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class MatMulOfOneWeight final : public BackReplacementPattern {
 public:
  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes("MatMul")) {
      const OutPort x = node->source(0), weight = node->source(1);
      if (!x || !weight || node->get_bool("transpose_a")) continue;
      if (!x.tensor().shape.is_static() || x.tensor().shape.rank() != 2 || !is_one(weight.tensor().shape)) continue;
      Builder b(*node);
      graph.replace(*node, b.node("Mul", {x, weight}));
    }
  }

 private:
  static bool is_one(const PartialShape& shape) {
    return shape.rank() == 2 && shape[0] == Dimension(1) && shape[1] == Dimension(1);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(MatMulOfOneWeight)
}  // namespace mo

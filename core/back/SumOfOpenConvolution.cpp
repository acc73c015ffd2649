// Before: z = x + Convolution(y, weights)
// After:  z = Convolution(y, weights) + x
// Conditions: the batch of y is open and that of x is 1; x is no constant. The same for other convolutions, and with
// operations with constants behind them. A runtime adds the convolution to the first operand in its place, which has
// one row.

#include "core/back/constant_operands.h"
#include "core/base/text.h"
#include "core/ops/spatial.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class SumOfOpenConvolution final : public BackReplacementPattern {
 public:
  Names run_after() const override { return {"ReshapeOfReduced"}; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes("Add")) {
      const OutPort x = node->source(0), product = node->source(1);
      if (!x || !product || is_constant(x) || !has_one_row(x) || !is_open_convolution(product, kMostSteps)) continue;
      node->in(0).connect(product);
      node->in(1).connect(x);
    }
  }

 private:
  static constexpr int kMostSteps = 4;

  static bool has_one_row(OutPort x) {
    const PartialShape& shape = x.tensor().shape;
    return shape.rank() > 2 && shape[0] == Dimension(1);
  }

  static bool is_open_convolution(OutPort y, int steps) {
    const PartialShape& shape = y.tensor().shape;
    if (steps == 0 || shape.rank() < 3 || shape[0].is_exact()) return false;
    const Node& node = y.node();
    if (is_one_of(node.op(), kConvolutions)) return true;
    const int data = data_input(node);
    return node.in_count() > 0 && joins_constants(node, data) && is_open_convolution(node.source(data), steps - 1);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(SumOfOpenConvolution)
}  // namespace mo

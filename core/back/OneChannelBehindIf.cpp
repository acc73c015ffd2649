// Before: z = Convolution(y, W)
// After:  z = Convolution(Reshape(Reshape(y, [-1]), ShapeOf(y)), W)
// Conditions: y is an output of an If, with one channel and an open size. A runtime gives wrong numbers in the first
// inference otherwise.

#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class OneChannelBehindIf final : public BackReplacementPattern {
 public:
  Names run_after() const override { return {"ReshapeOfReduced"}; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes("Convolution")) {
      const OutPort y = node->source(0), weights = node->source(1);
      if (!y || !weights || y.node().op() != "If" || y.tensor().shape.is_static()) continue;
      const PartialShape& filter = weights.tensor().shape;
      if (filter.rank() < 3 || !(filter[1] == Dimension(1))) continue;
      Builder b(*node);
      node->in(0).connect(b.op("Reshape", {b.reshape(y, {-1}, false), b.shape_of(y)}, {{"special_zero", false}}));
    }
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(OneChannelBehindIf)
}  // namespace mo

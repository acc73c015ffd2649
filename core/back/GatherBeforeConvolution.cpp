// Before: z = Convolution(Gather(x, [[0, 2], [1, 3]], 1), W)
// After:  z = Convolution(Gather(x, [[0, 2], [1, 3]], -1), W)
// Conditions: the indices are constants of several dimensions, as many as the axis has elements. A runtime takes them
// for another order of the channels, which it gives to the weights instead, if the axis is 1.

#include "core/back/constant_operands.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class GatherBeforeConvolution final : public BackReplacementPattern {
 public:
  Names run_after() const override { return {"GatherNormalizer", "ReshapeOfReduced"}; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes("Gather")) {
      if (!node->has_in(2) || node->source(2).exact_ints() != std::optional(std::vector<int64_t>{1})) continue;
      const PartialShape &x = node->source(0).tensor().shape, &indices = node->source(1).tensor().shape;
      if (x.rank() < 2 || indices.rank() < 2 || !is_constant(node->source(1))) continue;
      if (!x[1].is_exact() || indices.elements() != Interval(x[1].min)) continue;
      node->in(2).connect(Builder(*node).i64_scalar(1 - x.rank()));
    }
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(GatherBeforeConvolution)
}  // namespace mo

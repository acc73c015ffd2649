// Before: Transpose -> Transpose
// After:  one Transpose with both orders, or none if they cancel; a Transpose that changes nothing is removed, too
// Conditions: both orders are constants; the first has no other consumer, unless both are removed.

#include "core/back/transpose_order.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class FuseTransposesSequence final : public BackReplacementPattern {
 public:
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes("Transpose")) {
      auto order = transpose_order(*node);
      while (order) {
        if (is_identity(*order)) {
          node->out(0).connection().set_source(node->source(0), TensorNames::Merge);
          graph.remove(*node);
          break;
        }
        const OutPort source = node->source(0);
        const auto first = transpose_order(source.node());
        if (!first || first->size() != order->size()) break;
        const Ints both = joined_orders(*first, *order);
        if (source.reader_count() != 1 && !is_identity(both)) break;
        node->in(0).connect(source.node().source(0));
        node->in(1).connect(graph.constant(make_i64(both), node->name() + "/order"));
        order = both;
      }
    }
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(FuseTransposesSequence)
}  // namespace mo

// Before: Unsqueeze(Gather(data, i, axis), axis), i a constant of one number
// After:  Gather(data, [i], axis)
// Conditions: the Gather has no other consumer; no batch dimensions. Exporters write this for one dimension of a shape.

#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class GatherUnsqueezeFusion final : public BackReplacementPattern {
 public:
  Names run_after() const override { return {"BackStart", "MergeEqualShapeOperations"}; }
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes("Unsqueeze")) {
      const OutPort taken = node->source(0);
      if (!taken || taken.node().op() != "Gather" || taken.destinations().size() != 1) continue;
      const Node& gather = taken.node();
      const OutPort index = gather.source(1);
      const int rank = gather.source(0).tensor().shape.rank();
      if (rank < 1 || gather.get_int("batch_dims") != 0 || index.tensor().shape.rank() != 0) continue;
      const auto number = index.exact_int(), axis = gather.source(2).exact_int(), added = node->source(1).exact_int();
      if (!number || index.node().op() != "Const" || !axis || !added ||
          normalize_axis(*axis, rank) != normalize_axis(*added, rank))
        continue;
      Builder b(*node);
      const OutPort indices = b.constant(reshape(*index.tensor().value, {1}));
      Node& made = b.node("Gather", {gather.source(0), indices, gather.source(2)});
      graph.replace(*node, made);
    }
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(GatherUnsqueezeFusion)
}  // namespace mo

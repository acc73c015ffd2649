// Before: Squeeze(Gather(Concat(Unsqueeze(a, -1), Unsqueeze(b, -1)), [0] or [1], -1), -1): a part of a complex number
// After:  a or b
// Conditions: the axes are known, and so is the rank.

#include "core/rewrite/middle_replacement.h"

namespace mo {
namespace {

class ComplexPartsEraser final : public MiddleReplacementPattern {
 public:
  Names run_after() const override { return {"MiddleStart"}; }
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes("Squeeze")) {
      const OutPort picked = node->source(0);
      if (!picked || picked.node().op() != "Gather" || !is_last(*node, 1, picked)) continue;
      const Node& gather = picked.node();
      const OutPort pair = gather.source(0);
      const auto index = gather.source(1).exact_ints();
      if (!pair || pair.node().op() != "Concat" || !is_last(gather, 2, pair) || !index || index->size() != 1) continue;
      if (const OutPort part = part_of(pair, index->front()))
        node->out(0).connection().set_source(part, TensorNames::Merge);
    }
  }

 private:
  /// Whether the node's input is the last axis of `x`, which has a known rank.
  static bool is_last(const Node& node, int input, OutPort x) {
    const int rank = x.tensor().shape.rank();
    const auto axes = node.has_in(input) ? node.source(input).exact_ints() : std::nullopt;
    return rank > 0 && axes && axes->size() == 1 && (axes->front() == -1 || axes->front() == rank - 1);
  }

  static OutPort part_of(OutPort pair, int64_t index) {
    const Node& concat = pair.node();
    const int rank = pair.tensor().shape.rank();
    const int64_t axis = concat.get_int("axis");
    if (concat.in_count() != 2 || (axis != -1 && axis != rank - 1) || index < 0 || index > 1) return {};
    for (const int i : {0, 1})
      if (!concat.has_in(i) || concat.source(i).node().op() != "Unsqueeze" ||
          !is_last(concat.source(i).node(), 1, pair))
        return {};
    return concat.source(static_cast<int>(index)).node().source(0);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(ComplexPartsEraser)
}  // namespace mo

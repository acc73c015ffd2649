// Before: ScaledDotProductAttention(query, key, value, mask), where a Broadcast computes the mask, or element-wise
//         operations compute it from one
// After:  the mask has fewer dimensions than the query: ScaledDotProductAttention(query, key, value, Unsqueeze(mask));
//         it has as many, and the Broadcast may repeat columns: Squeeze(Broadcast(Unsqueeze(x))) instead of it
// Conditions: the sizes of the mask are known; in the second case, the number of columns before the Broadcast is not.
// The runtime joins the Broadcast with the attention. It does not compile the first form, and takes the first column
// for all in the second one (docs/runtime.md).

#include <numeric>
#include <unordered_map>

#include "core/ops/op_def.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class BroadcastOfAttentionMask final : public BackReplacementPattern {
 public:
  void find_and_replace_pattern(Graph& graph) override {
    std::unordered_map<std::string, OutPort> made;  // by mask and missing axes; looked up only
    for (Node* node : graph.nodes("ScaledDotProductAttention")) {
      if (!node->has_in(3)) continue;
      const OutPort mask = node->source(3);
      const PartialShape& shape = mask.tensor().shape;
      const int missing = node->source(0).tensor().shape.rank() - shape.rank();
      if (!shape.is_static() || shape.rank() == 0) continue;
      std::vector<Node*> broadcasts;
      int steps = kMaxSteps;
      find_broadcasts(mask, broadcasts, steps);
      if (missing <= 0) {
        for (Node* broadcast : broadcasts) keep_apart(*broadcast);
      } else if (!broadcasts.empty() || steps < 0) {
        OutPort& unsqueezed = made[cat(mask.node().id(), ":", mask.index(), ":", missing)];
        if (!unsqueezed) {
          Ints axes(static_cast<size_t>(missing));
          std::iota(axes.begin(), axes.end(), 0);
          unsqueezed = Builder(*node).unsqueeze(mask, axes);
        }
        node->in(3).connect(unsqueezed);
      }
    }
  }

 private:
  static constexpr int kMaxSteps = 32;

  /// All whose result is not a constant, found through element-wise operations. Makes `steps` negative if there are
  /// more operations.
  static void find_broadcasts(const OutPort& port, std::vector<Node*>& found, int& steps) {
    Node& node = port.node();
    if (port.tensor().value || --steps < 0) return;
    if (node.op() == "Broadcast") return found.push_back(&node);
    const OpDef* definition = node.definition();
    if (!definition || definition->layout.kind != LayoutClass::None) return;
    for (int i = 0; i < node.in_count(); ++i)
      if (node.has_in(i)) find_broadcasts(node.source(i), found, steps);
  }

  static void keep_apart(Node& broadcast) {
    if (broadcast.removed()) return;
    const PartialShape &from = broadcast.source(0).tensor().shape, &to = broadcast.out(0).tensor().shape;
    if (!from.has_rank() || from.rank() == 0 || from.dimensions().back().is_exact() ||
        !to.dimensions().back().is_exact())
      return;
    Builder b(broadcast);
    const OutPort data = b.unsqueeze(broadcast.source(0), {0});
    const OutPort target = b.convert(broadcast.source(1), ElementType::I64);
    const OutPort repeated = b.op("Broadcast", {data, b.concat({b.i64({1}), target}, 0)}, broadcast.attributes);
    broadcast.graph().replace(broadcast, b.squeeze(repeated, {0}).node());
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(BroadcastOfAttentionMask)
}  // namespace mo

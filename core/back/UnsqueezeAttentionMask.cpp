// Before: ScaledDotProductAttention(query, key, value, mask), where a Broadcast computes the mask, or element-wise
//         operations compute it from one, and it has fewer dimensions than the query
// After:  ScaledDotProductAttention(query, key, value, Unsqueeze(mask)), of the rank of the query
// Conditions: the sizes of the mask are known: the runtime does not compile that (docs/runtime.md).

#include <map>
#include <numeric>
#include <tuple>

#include "core/ops/op_def.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class UnsqueezeAttentionMask final : public BackReplacementPattern {
 public:
  void find_and_replace_pattern(Graph& graph) override {
    std::map<std::tuple<int, int, int>, OutPort> made;  // by mask and missing axes
    for (Node* node : graph.nodes("ScaledDotProductAttention")) {
      if (!node->has_in(3)) continue;
      const OutPort mask = node->source(3);
      const PartialShape& shape = mask.tensor().shape;
      const int missing = node->source(0).tensor().shape.rank() - shape.rank();
      int steps = kMaxSteps;
      if (!shape.is_static() || shape.rank() == 0 || missing <= 0 || !is_broadcast(mask, steps)) continue;
      OutPort& unsqueezed = made[{mask.node().id(), mask.index(), missing}];
      if (!unsqueezed) {
        Ints axes(static_cast<size_t>(missing));
        std::iota(axes.begin(), axes.end(), 0);
        Builder b(*node);
        unsqueezed = b.unsqueeze(mask, axes);
      }
      node->in(3).connect(unsqueezed);
    }
  }

 private:
  static constexpr int kMaxSteps = 32;

  /// Whether a Broadcast is found through element-wise operations. Assumes so after kMaxSteps operations.
  static bool is_broadcast(const OutPort& port, int& steps) {
    const Node& node = port.node();
    if (node.op() == "Broadcast" || --steps < 0) return true;
    const OpDef* definition = node.definition();
    if (!definition || definition->layout.kind != LayoutClass::None) return false;
    for (int i = 0; i < node.in_count(); ++i)
      if (node.has_in(i) && is_broadcast(node.source(i), steps)) return true;
    return false;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(UnsqueezeAttentionMask)
}  // namespace mo

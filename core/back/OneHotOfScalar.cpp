// Before: y = OneHot(indices, depth, on, off)
// After:  y = Squeeze(OneHot(Unsqueeze(indices, [0]), depth, on, off) {axis: 1}, [0])
// Conditions: the indices are a scalar, and the depth is not known. A runtime takes a scalar only with a constant
// depth.

#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class OneHotOfScalar final : public BackReplacementPattern {
 public:
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes("OneHot")) {
      const OutPort indices = node->source(0);
      if (!indices || indices.tensor().shape.rank() != 0 || node->source(1).exact_int()) continue;
      Builder b(*node);
      const OutPort row = b.op("OneHot", {b.unsqueeze(indices, {0}), node->source(1), node->source(2), node->source(3)},
                               {{"axis", int64_t{1}}});
      graph.replace(*node, b.squeeze(row, {0}).node());
    }
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(OneHotOfScalar)
}  // namespace mo

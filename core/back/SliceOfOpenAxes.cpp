// Before: y = Slice(x, start, stop, step, axes)
// After:  y = Slice(x, start', stop', step', [0 … rank - 1]): the given numbers at their axes, for the others 0, the
//         largest number, 1
// Conditions: the axes are not known, the rank of x is. A runtime crashes on axes that are computed.

#include <numeric>

#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class SliceOfOpenAxes final : public BackReplacementPattern {
 public:
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes("Slice")) {
      const OutPort x = node->source(0);
      const int rank = x ? x.tensor().shape.rank() : -1;
      if (rank < 1 || !node->has_in(4) || node->source(4).exact_ints()) continue;
      Builder b(*node);
      Ints all(static_cast<size_t>(rank));
      std::iota(all.begin(), all.end(), 0);
      const OutPort at = b.op("FloorMod", {b.convert(node->source(4), ElementType::I64), b.i64_scalar(rank)});
      const auto at_axes = [&](OutPort given, int64_t other) {
        const OutPort others = b.i64(Ints(all.size(), other));
        return b.op("ScatterElementsUpdate", {others, at, b.convert(given, ElementType::I64), b.i64_scalar(0)});
      };
      const OutPort start = at_axes(node->source(1), 0), stop = at_axes(node->source(2), INT64_MAX);
      const OutPort step = at_axes(node->source(3), 1);
      graph.replace(*node, b.op("Slice", {x, start, stop, step, b.i64(all)}).node());
    }
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(SliceOfOpenAxes)
}  // namespace mo

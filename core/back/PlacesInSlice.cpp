// Before: y = GatherElements(Slice(x), indices) {axis}
// After:  y = GatherElements(Slice(x), FloorMod(indices, size)) {axis}, where size is that of the slice along the axis
// Conditions: the slice cuts that axis; the indices are not known to be 0 or more. A runtime leaves a Slice from the
// front out here, and counts negative indices from the end of x.

#include <algorithm>

#include "core/decompose/math/constants.h"
#include "core/decompose/shaping/shaping.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class PlacesInSlice final : public BackReplacementPattern {
 public:
  Names run_after() const override { return {"DataOfGatherElements"}; }
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes("GatherElements")) {
      const OutPort data = node->source(0), indices = node->source(1);
      if (!data || !indices || data.node().op() != "Slice" || counts_from_front(indices)) continue;
      const int64_t axis = node->get_int("axis");
      if (!cuts(data, axis)) continue;
      Builder b(*node);
      const OutPort size = convert_like(b, dimension_of(b, data, axis), indices);
      node->in(1).connect(b.op("FloorMod", {indices, size}));
    }
  }

 private:
  static bool counts_from_front(OutPort indices) {
    const auto& known = indices.tensor().ints;
    return known && std::all_of(known->elements.begin(), known->elements.end(), [](Interval n) { return n.min >= 0; });
  }

  static bool cuts(OutPort slice, int64_t axis) {
    const OutPort x = slice.node().source(0);
    const PartialShape &before = x.tensor().shape, &after = slice.tensor().shape;
    if (!before.has_rank() || !after.has_rank()) return true;
    const size_t at = normalize_axis(axis, before.rank());
    return !before[at].is_exact() || before[at] != after[at];
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(PlacesInSlice)
}  // namespace mo

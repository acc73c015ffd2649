// Before: Transpose -> operations that can compute in either order of axes -> Transpose that undoes the first
// After:  the operations with their axes in the new order
// Conditions: the operations are functions of elements, Concat, splits, slices, Pad, reductions, SoftMax and others
// with layout rules, and Reshape, Squeeze and Unsqueeze, whose patterns stay constant. All that are connected change
// together, if that needs fewer Transposes: one for each tensor that others read or give, but products, which can
// transpose themselves. SoftMax and MVN over the last axes stay there.

#include "core/back/transpose_order.h"
#include "core/back/transposed_region.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class MoveTransposes final : public BackReplacementPattern {
 public:
  Names run_after() const override { return {"ShuffleChannelsFusion"}; }
  Names run_before() const override { return {"FuseTransposesSequence"}; }
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    std::vector<unsigned char> visits(graph.ids());
    DimensionOrigins origins;
    const auto improve = [&](OutPort start, const Ints& order) {
      TransposedRegion region(origins, visits);
      if (!region.grow(start, order) || !region.spares_transposes()) return false;
      region.apply();
      origins = {};
      return true;
    };
    for (Node* node : graph.nodes("Transpose")) {
      const auto order = transpose_order(*node);
      if (!order || is_identity(*order) || node->out(0).disconnected()) continue;
      if (improve(node->out(0), inverse_order(*order)) || node->removed()) continue;
      improve(node->source(0), *order);
    }
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(MoveTransposes)
}  // namespace mo

// Before: z = Convolution(y, W [M, C, 1, 1]) {strides: s, pads_begin: p, pads_end: q}
// After:  z = Convolution(Slice(Pad(y, p, q), step s), W)
// Conditions: the same for GroupConvolution, and for more or fewer spatial axes; a stride is not 1 and a pad is not 0;
// y is computed. A runtime takes the stride of a kernel of 1 to the operation before, without the padding.

#include <algorithm>

#include "core/ops/spatial.h"
#include "core/ops/window.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class PaddedPointwiseConvolution final : public BackReplacementPattern {
 public:
  Names run_after() const override { return {"PadFusion", "ReshapeOfReduced"}; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes_of({"Convolution", "GroupConvolution"})) {
      const OutPort y = node->source(0), weights = node->source(1);
      if (!y || !weights || y.node().op() == "Parameter" || y.tensor().shape.rank() < 3) continue;
      const auto rank = static_cast<size_t>(y.tensor().shape.rank());
      if (!is_pointwise(weights.tensor().shape, rank - 2)) continue;
      SpatialWindow window(*node, rank - 2);
      if (!window.is_same() && is_padded(window)) apart(*node, window, spatial_dims(*node, rank));
    }
  }

 private:
  static bool is_pointwise(const PartialShape& weights, size_t axes) {
    if (!weights.has_rank() || static_cast<size_t>(weights.rank()) < axes) return false;
    const std::vector<Dimension>& dims = weights.dimensions();
    return std::all_of(dims.end() - static_cast<std::ptrdiff_t>(axes), dims.end(),
                       [](const Dimension& size) { return size == Dimension(1); });
  }

  static bool is_padded(const SpatialWindow& window) {
    const auto any = [](const Ints& numbers, int64_t above) {
      return std::any_of(numbers.begin(), numbers.end(), [above](int64_t number) { return number > above; });
    };
    const auto none_is_negative = [](const Ints& pads) {
      return std::all_of(pads.begin(), pads.end(), [](int64_t pad) { return pad >= 0; });
    };
    return any(window.strides, 1) && (any(window.pads_begin, 0) || any(window.pads_end, 0)) &&
           none_is_negative(window.pads_begin) && none_is_negative(window.pads_end);
  }

  static void apart(Node& node, SpatialWindow& window, const SpatialDims& dims) {
    const OutPort y = node.source(0);
    const size_t axes = dims.spatial.size();
    Ints begin(axes + 2), end(axes + 2), places;
    for (size_t i = 0; i < axes; ++i) {
      begin[dims.spatial[i]] = window.pads_begin[i], end[dims.spatial[i]] = window.pads_end[i];
      places.push_back(static_cast<int64_t>(dims.spatial[i]));
    }
    Builder b(node);
    const OutPort zero = b.scalar_like(y, 0);
    const OutPort padded = b.op("Pad", {y, b.i64(begin), b.i64(end), zero}, {{"mode", "constant"}});
    const OutPort from = b.i64(Ints(axes, 0)), to = b.i64(Ints(axes, INT64_MAX)), at = b.i64(places);
    const OutPort steps = b.i64(window.strides);
    window.strides.assign(axes, 1), window.pads_begin.assign(axes, 0), window.pads_end.assign(axes, 0);
    window.auto_pad = AutoPad::Explicit;
    node.attributes.update(window.attributes());
    node.in(0).connect(b.op("Slice", {padded, from, to, steps, at}));
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(PaddedPointwiseConvolution)
}  // namespace mo

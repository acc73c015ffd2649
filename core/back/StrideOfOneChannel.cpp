// Before: y = Convolution(x, W [M, 1, kernel…]) {strides: [1, 2]}
// After:  y = Slice(Convolution(x, W) {strides: [1, 1]}, step 2 along the last axis), without Slice if that has one
//         element there
// Conditions: y may have one element along the last axis, the stride there is not 1, and there is another spatial axis;
// the padding is not SAME of an open size. A runtime with AVX-512 reads such windows beside the data.

#include "core/ops/spatial.h"
#include "core/ops/window.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class StrideOfOneChannel final : public BackReplacementPattern {
 public:
  Names run_after() const override { return {"PadFusion", "ReshapeOfReduced"}; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes("Convolution")) {
      const PartialShape &y = node->out(0).tensor().shape, &weights = node->source(1).tensor().shape;
      if (y.rank() < 4 || weights.rank() != y.rank() || weights[1] != Dimension(1)) continue;
      const auto rank = static_cast<size_t>(y.rank());
      const SpatialDims dims = spatial_dims(*node, rank);
      const size_t last = dims.spatial.back();
      SpatialWindow window(*node, rank - 2);
      if (window.strides.back() == 1 || !intersect(y[last], Dimension(1))) continue;
      const std::vector<Dimension> x = spatial_sizes(node->source(0).tensor().shape, dims);
      if (!window.pad_explicitly(x, {weights.dimensions().begin() + 2, weights.dimensions().end()})) continue;
      apart(graph, *node, window, static_cast<int64_t>(last));
    }
  }

 private:
  static void apart(Graph& graph, Node& node, SpatialWindow window, int64_t last) {
    Builder b(node);
    const OutPort from = b.i64({0}), to = b.i64({INT64_MAX}), step = b.i64({window.strides.back()}), at = b.i64({last});
    window.strides.back() = 1;
    Attributes attributes = node.attributes;
    attributes.update(window.attributes());
    const OutPort each = b.op("Convolution", {node.source(0), node.source(1)}, std::move(attributes));
    const bool is_one = each.tensor().shape[static_cast<size_t>(last)] == Dimension(1);
    graph.replace(node, is_one ? each.node() : b.op("Slice", {each, from, to, step, at}).node());
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(StrideOfOneChannel)
}  // namespace mo

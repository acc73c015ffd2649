// Before: y = PriorBox or PriorBoxClustered(feature map, image), both of four dimensions
// After:  y = Unsqueeze(PriorBox(height and width of the feature map, height and width of the image), 0)
// Conditions: both ranks are known. Without axes among the attributes the tensors are [N, C, H, W].

#include "core/ops/spatial.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposePriorBox final : public Decomposition {
 public:
  Names ops() const override { return {"PriorBox", "PriorBoxClustered"}; }

  bool applies(const Node& node) const override {
    for (const int i : {0, 1})
      if (!node.has_in(i) || node.source(i).tensor().shape.rank() != 4) return false;
    return true;
  }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const SpatialDims dims = spatial_dims(node, 4);
    const Ints axes(dims.spatial.begin(), dims.spatial.end());
    const OutPort grid = b.dims_of(node.source(0), axes), image = b.dims_of(node.source(1), axes);
    return {b.unsqueeze(
        b.op(node.op() == "PriorBox" ? "PriorBox" : "PriorBoxClustered", {grid, image}, node.attributes), {0})};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposePriorBox)
}  // namespace mo

// Before: y = DeformConv(x, W, offset, bias, mask) {group, offset_group, strides…}
// After:  y = DeformableConvolution(x, offset, W, mask) {group, deformable_group, …} [+ bias]
// Conditions: 2 spatial dimensions.

#include "core/decompose/spatial/convolution.h"
#include "core/decompose/spatial/window.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeDeformConv final : public Decomposition {
 public:
  Names ops() const override { return {"DeformConv"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const SpatialDims dims = data_dims_of(node, 1);
    const size_t axes = dims.spatial.size();
    if (axes != 2)
      throw Error(Code::UnsupportedForm, msg("a deformable convolution over ", axes, " spatial dimensions"));
    Attributes attributes = window_attributes(node, SpatialWindow(node, axes));
    attributes.set("group", node.get_int("group", 1));
    attributes.set("deformable_group", node.get_int("offset_group", 1));
    attributes.set("bilinear_interpolation_pad", node.get_bool("bilinear_interpolation_pad", true));
    std::vector<OutPort> inputs{node.source(0), node.source(2), node.source(1)};
    if (node.has_in(4)) inputs.push_back(node.source(4));
    const OutPort y = b.op("DeformableConvolution", inputs, attributes);
    return {node.has_in(3) ? add_bias(b, y, node.source(3), dims) : y};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeDeformConv)
}  // namespace mo

// DeformableConvolution (opset8): data [N, C, H, W], offsets [N, DG * 2 * kH * kW, OH, OW], weights [O, C/G, kH, kW],
// mask [N, DG * kH * kW, OH, OW] (optional); attributes bilinear_interpolation_pad, strides, dilations, pads_begin,
// pads_end, auto_pad, group, deformable_group.

#include "core/ops/spatial.h"
#include "core/ops/window.h"

namespace mo {
namespace {

void infer_deformable_convolution(InferContext& c) {
  for (int i = 0; i < 4; ++i) c.require_rank(i, 4, 4);
  const PartialShape &data = c.shape(0), &offsets = c.shape(1), &weights = c.shape(2);
  const int64_t group = c.node().get_int("group", 1), offset_group = c.node().get_int("deformable_group", 1);
  if (group < 1 || offset_group < 1) c.fail(Code::BadAttribute, "a number of groups below 1");
  const SpatialDims dims = spatial_dims(c.node(), 4);
  std::vector<Dimension> out(4, kAnyDimension);
  if (data.has_rank()) out[dims.batch] = data[dims.batch];
  if (weights.has_rank()) out[dims.channel] = weights[0];
  if (data.has_rank() && weights.has_rank() && !intersect(data[dims.channel], weights[1] * group))
    c.fail(Code::ShapeMismatch,
           msg("data [", to_string(data), "], weights [", to_string(weights), "] in ", group, " groups"));
  const SpatialWindow window(c.node(), 2);
  for (size_t i = 0; i < 2; ++i) {
    const size_t axis = dims.spatial[i];
    if (data.has_rank() && weights.has_rank()) out[axis] = window.axis(i, weights[i + 2]).output(data[axis]);
    if (!offsets.has_rank()) continue;
    const auto both = intersect(out[axis], offsets[axis]);
    if (!both)
      c.fail(Code::ShapeMismatch, msg("offsets [", to_string(offsets), "] for an output of ", to_string(out[axis])));
    out[axis] = *both;
  }
  c.set(0, out, c.type(0));
}

void attributes_deformable_convolution(const Node& n, IrAttributes& a) {
  a.add("bilinear_interpolation_pad", n.get_bool("bilinear_interpolation_pad"));
  add_window_attributes(n, a);
  a.add("group", n.get_int("group", 1));
  a.add("deformable_group", n.get_int("deformable_group", 1));
}

constexpr OpDef kDeformableConvolutionDefs[] = {
    {.op = "DeformableConvolution",
     .type = "DeformableConvolution",
     .version = "opset8",
     .infer = infer_deformable_convolution,
     .ir_attributes = attributes_deformable_convolution,
     .layout = spatial_layout(2)},
};

}  // namespace

OpFamily ops_DeformableConvolution() { return kDeformableConvolutionDefs; }

}  // namespace mo

// DeformableConvolution (opset8): data [N, C, H, W], offsets [N, DG * 2 * kH * kW, OH, OW], weights [O, C/G, kH, kW],
// mask [N, DG * kH * kW, OH, OW] (optional); attributes bilinear_interpolation_pad, strides, dilations, pads_begin,
// pads_end, auto_pad, group, deformable_group.

#include "core/ops/spatial.h"

namespace mo {
namespace {

void infer_deformable_convolution(InferContext& c) {
  for (int i = 0; i < 4; ++i) c.require_rank(i, 4, 4);
  const PartialShape &data = c.shape(0), &offsets = c.shape(1), &weights = c.shape(2);
  const int64_t group = c.node().get_int("group", 1), offset_group = c.node().get_int("deformable_group", 1);
  if (group < 1 || offset_group < 1) c.fail(Code::BadAttribute, "a number of groups below 1");
  std::vector<Dimension> out(4, kAnyDimension);
  if (data.has_rank()) out[0] = data[0];
  if (weights.has_rank()) out[1] = weights[0];
  if (data.has_rank() && weights.has_rank() && !intersect(data[1], weights[1] * group))
    c.fail(Code::ShapeMismatch, cat("data [", to_string(data), "], weights [", to_string(weights), "] in ", group, " groups"));
  for (size_t i = 0; i < 2; ++i) {
    if (data.has_rank() && weights.has_rank()) out[i + 2] = SpatialWindow(c.node(), i, weights[i + 2]).output(data[i + 2]);
    if (!offsets.has_rank()) continue;
    const auto both = intersect(out[i + 2], offsets[i + 2]);
    if (!both) c.fail(Code::ShapeMismatch, cat("offsets [", to_string(offsets), "] for an output of ", to_string(out[i + 2])));
    out[i + 2] = *both;
  }
  c.set(0, out, c.type(0));
}

void attributes_deformable_convolution(const Node& n, IrAttributes& a) {
  a.add("bilinear_interpolation_pad", n.get_bool("bilinear_interpolation_pad"));
  add_window_attributes(n, a);
  a.add("group", n.get_int("group", 1));
  a.add("deformable_group", n.get_int("deformable_group", 1));
}

const OpDef kDeformableConvolutionDefs[] = {
    {.op = "DeformableConvolution", .type = "DeformableConvolution", .version = "opset8", .infer = infer_deformable_convolution,
     .ir_attributes = attributes_deformable_convolution, .layout = {LayoutClass::Spatial, {}}},
};

}  // namespace

OpFamily ops_DeformableConvolution() { return kDeformableConvolutionDefs; }

}  // namespace mo

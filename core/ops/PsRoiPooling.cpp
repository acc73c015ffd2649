// PSROIPooling, DeformablePSROIPooling (opset1): data [N, C, H, W], boxes [R, 5], and for the deformable one offsets
// [R, 2 * classes, parts, parts]. The channels are output_dim groups, one channel for each bin.

#include "core/ops/detection.h"
#include "core/ops/known.h"
#include "core/ops/spatial.h"

namespace mo {
namespace {

void infer_ps_roi_pooling(InferContext& c) {
  require_inputs(c, 2);
  c.require_rank(0, 4, 4);
  c.require_rank(2, 4, 4);
  require_columns(c, 1, 5);
  const Node& node = c.node();
  const int64_t channels = count_of(c, "output_dim", 1), group = count_of(c, "group_size", 1);
  const SpatialDims dims = spatial_dims(node, 4);
  const std::string mode = node.get_string("mode", "average");
  Interval bins = Interval(group) * Interval(group);
  if (node.op() == "PSROIPooling" && mode == "bilinear")
    bins = Interval(count_of(c, "spatial_bins_x", 1)) * Interval(count_of(c, "spatial_bins_y", 1));
  else if (mode != (node.op() == "PSROIPooling" ? "average" : "bilinear_deformable"))
    c.fail(Code::BadAttribute, msg("mode is '", mode, "'"));
  if (node.op() == "PSROIPooling")
    agree(c, dimension_of(c, 0, dims.channel), to_dimension(bins * Interval(channels)), "channels and bins");
  std::vector<Dimension> out(4, kAnyDimension);
  out[dims.batch] = dimension_of(c, 1, 0);
  if (c.has_in(2)) out[dims.batch] = agree(c, out[dims.batch], dimension_of(c, 2, dims.batch), "boxes and offsets");
  out[dims.channel] = channels;
  out[dims.spatial[0]] = out[dims.spatial[1]] = group;
  c.set(0, out, c.type(0));
}

void attributes_ps_roi_pooling(const Node& n, IrAttributes& a) {
  a.add("output_dim", n.get_int("output_dim"));
  a.add("spatial_scale", n.get_float("spatial_scale", 1));
  a.add("group_size", n.get_int("group_size", 1));
  a.add("mode", n.get_string("mode", "average"));
  a.add("spatial_bins_x", n.get_int("spatial_bins_x", 1));
  a.add("spatial_bins_y", n.get_int("spatial_bins_y", 1));
}

void attributes_deformable_ps_roi_pooling(const Node& n, IrAttributes& a) {
  attributes_ps_roi_pooling(n, a);
  a.add("trans_std", n.get_float("trans_std"));
  a.add("part_size", n.get_int("part_size", 1));
}

constexpr OpDef kPsRoiPoolingDefs[] = {
    {.op = "PSROIPooling",
     .type = "PSROIPooling",
     .version = "opset1",
     .infer = infer_ps_roi_pooling,
     .ir_attributes = attributes_ps_roi_pooling,
     .layout = spatial_layout()},
    {.op = "DeformablePSROIPooling",
     .type = "DeformablePSROIPooling",
     .version = "opset1",
     .infer = infer_ps_roi_pooling,
     .ir_attributes = attributes_deformable_ps_roi_pooling,
     .layout = spatial_layout()},
};

}  // namespace

OpFamily ops_PsRoiPooling() { return kPsRoiPoolingDefs; }

}  // namespace mo

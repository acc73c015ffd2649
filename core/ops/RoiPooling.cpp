// ROIAlign (opset3; opset9 with an aligned_mode other than asymmetric): data [N, C, H, W], boxes [R, 4], batch indices
// [R]; attributes pooled_h, pooled_w, sampling_ratio, spatial_scale, mode, aligned_mode. ROIAlignRotated (opset15): the
// same with regions [R, 5]; clockwise_mode in place of both modes. ROIPooling (opset2): data [N, C, H, W], boxes [R,
// 5]; attributes pooled_h, pooled_w, spatial_scale, method.

#include "core/ops/spatial.h"

namespace mo {
namespace {

void infer_roi(InferContext& c) {
  c.require_rank(0, 4, 4);
  c.require_rank(1, 2, 2);
  c.require_rank(2, 1, 1);
  const int64_t height = c.node().get_int("pooled_h"), width = c.node().get_int("pooled_w");
  if (height < 1 || width < 1) c.fail(Code::BadAttribute, msg("a pooled shape of ", height, " x ", width));
  Dimension boxes = c.shape(1).has_rank() ? c.shape(1)[0] : kAnyDimension;
  if (c.has_in(2) && c.shape(2).has_rank()) {
    const auto both = intersect(boxes, c.shape(2)[0]);
    if (!both)
      c.fail(Code::ShapeMismatch, msg(to_string(boxes), " boxes, ", to_string(c.shape(2)[0]), " batch indices"));
    boxes = *both;
  }
  const SpatialDims dims = spatial_dims(c.node(), 4);
  std::vector<Dimension> out(4, kAnyDimension);
  out[dims.batch] = boxes;
  if (c.shape(0).has_rank()) out[dims.channel] = c.shape(0)[dims.channel];
  out[dims.spatial[0]] = height;
  out[dims.spatial[1]] = width;
  c.set(0, out, c.type(0));
}

bool roi_is_asymmetric(const Node& n) { return n.get_string("aligned_mode", "asymmetric") == "asymmetric"; }

std::string_view version_roi_align(const Node& n) { return roi_is_asymmetric(n) ? "opset3" : "opset9"; }

void attributes_roi_align(const Node& n, IrAttributes& a) {
  a.add("pooled_h", n.get_int("pooled_h"));
  a.add("pooled_w", n.get_int("pooled_w"));
  a.add("sampling_ratio", n.get_int("sampling_ratio"));
  a.add("spatial_scale", n.get_float("spatial_scale", 1));
  a.add("mode", n.get_string("mode", "avg"));
  if (!roi_is_asymmetric(n)) a.add("aligned_mode", n.get_string("aligned_mode"));
}

void attributes_roi_align_rotated(const Node& n, IrAttributes& a) {
  a.add("pooled_h", n.get_int("pooled_h"));
  a.add("pooled_w", n.get_int("pooled_w"));
  a.add("sampling_ratio", n.get_int("sampling_ratio"));
  a.add("spatial_scale", n.get_float("spatial_scale", 1));
  a.add("clockwise_mode", n.get_bool("clockwise_mode"));
}

void attributes_roi_pooling(const Node& n, IrAttributes& a) {
  a.add("pooled_h", n.get_int("pooled_h"));
  a.add("pooled_w", n.get_int("pooled_w"));
  a.add("spatial_scale", n.get_float("spatial_scale", 1));
  a.add("method", n.get_string("method", "max"));
}

constexpr OpDef kRoiPoolingDefs[] = {
    {.op = "ROIAlign",
     .type = "ROIAlign",
     .version = "opset3",
     .infer = infer_roi,
     .ir_attributes = attributes_roi_align,
     .layout = spatial_layout(),
     .version_of = version_roi_align},
    {.op = "ROIAlignRotated",
     .type = "ROIAlignRotated",
     .version = "opset15",
     .infer = infer_roi,
     .ir_attributes = attributes_roi_align_rotated,
     .layout = spatial_layout()},
    {.op = "ROIPooling",
     .type = "ROIPooling",
     .version = "opset2",
     .infer = infer_roi,
     .ir_attributes = attributes_roi_pooling,
     .layout = spatial_layout()},
};

}  // namespace

OpFamily ops_RoiPooling() { return kRoiPoolingDefs; }

}  // namespace mo

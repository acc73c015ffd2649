// Regions of feature maps, as rows of the picture's number and corners.

#include "core/front/mxnet/extract/extractor.h"

namespace mo::mxnet {
namespace {

Ints pooled_of(const Node& node) {
  Ints size = ints_of(node, "pooled_size");
  if (size.size() == 1) size.push_back(size[0]);
  if (size.size() != 2 || size[0] < 1 || size[1] < 1) throw Error(Code::BadAttribute, "pooled_size is not two sizes");
  return size;
}

double scale_of(const Node& node) {
  if (!is_given(node, "spatial_scale")) throw Error(Code::MissingAttribute, "spatial_scale");
  return float_of(node, "spatial_scale");
}

}  // namespace

void extract_roi_pooling(Node& node) {
  const OutPort x = required(node, 0), rois = required(node, 1);
  const Ints size = pooled_of(node);
  become(node, "ROIPooling", {x, rois},
         {{"pooled_h", size[0]}, {"pooled_w", size[1]}, {"spatial_scale", scale_of(node)}, {"method", "max"}});
}

/// Regions of no picture are 0. Position-sensitive: each bin has channels of its own.
void extract_roi_align(Node& node) {
  const OutPort x = required(node, 0), rois = required(node, 1);
  const Ints size = pooled_of(node);
  const int64_t samples = int_of(node, "sample_ratio", -1);
  const bool sensitive = bool_of(node, "position_sensitive");
  Attributes attributes{{"pooled_h", size[0]},
                        {"pooled_w", size[1]},
                        {"sampling_ratio", samples > 0 ? samples : 0},
                        {"spatial_scale", scale_of(node)},
                        {"mode", "avg"},
                        {"aligned_mode", bool_of(node, "aligned") ? "half_pixel_for_nn" : "asymmetric"}};
  Builder b(node);
  const OutPort boxes = b.op("BoxesOfRegions", {rois}), pictures = b.op("PicturesOfRegions", {rois});
  const OutPort aligned = b.op("ROIAlign", {x, boxes, pictures}, attributes);
  if (sensitive) {
    const int64_t count = size[0] * size[1];
    const OutPort number = b.i64({count, count}), shape = b.i64(size), bins = b.op("OwnBins", {aligned, number, shape});
    return become(node, "OfSomePicture", {rois, bins});
  }
  become(node, "OfSomePicture", {rois, aligned});
}

/// Regions by their centre, which MXNet gives between pixels and IR in the middle of one, their size, at least a pixel,
/// and their angle, in degrees.
void extract_rotated_roi_align(Node& node) {
  const OutPort x = required(node, 0), rois = required(node, 1);
  const Ints size = pooled_of(node);
  const int64_t samples = int_of(node, "sampling_ratio", -1);
  Builder b(node);
  const OutPort regions = b.op("RotatedRegions", {rois}, {{"scale", scale_of(node)}});
  const OutPort pictures = b.op("PicturesOfRegions", {rois});
  become(node, "ROIAlignRotated", {x, regions, pictures},
         {{"pooled_h", size[0]},
          {"pooled_w", size[1]},
          {"sampling_ratio", samples > 0 ? samples : 0},
          {"spatial_scale", 1.0},
          {"clockwise_mode", false}});
}

void extract_psroi_pooling(Node& node) {
  OutPort x = required(node, 0);
  const OutPort rois = required(node, 1);
  const int64_t pooled = limited_int(node, "pooled_size", 0, 1, 256),
                group = limited_int(node, "group_size", 0, 0, 256);
  if (group != 0 && group != pooled) {
    // IR's operation has a group for each bin: several bins take the channel of one.
    const int64_t channels = limited_int(node, "output_dim", 0, 1, 1 << 12);
    Ints places;
    for (int64_t channel = 0; channel < channels; ++channel)
      for (int64_t row = 0; row < pooled; ++row)
        for (int64_t column = 0; column < pooled; ++column)
          places.push_back((channel * group + row * group / pooled) * group + column * group / pooled);
    Builder b(node);
    x = b.gather(x, b.i64(places), 1);
  }
  become(node, "PSROIPooling", {x, rois},
         {{"output_dim", required_int(node, "output_dim")},
          {"group_size", pooled},
          {"spatial_scale", scale_of(node)},
          {"mode", "average"}});
}

void extract_deformable_psroi_pooling(Node& node) {
  std::vector<OutPort> sources{required(node, 0), required(node, 1)};
  const int64_t pooled = required_int(node, "pooled_size"), group = required_int(node, "group_size");
  if (group != pooled) throw Error(Code::UnsupportedForm, msg("group_size ", group, " and pooled_size ", pooled));
  if (!bool_of(node, "no_trans")) sources.push_back(required(node, 2));
  const int64_t samples = limited_int(node, "sample_per_part", 1, 1, 1 << 10);
  const int64_t parts = int_of(node, "part_size");
  become(node, "DeformablePSROIPooling", sources,
         {{"output_dim", required_int(node, "output_dim")},
          {"group_size", group},
          {"spatial_scale", scale_of(node)},
          {"mode", "bilinear_deformable"},
          {"spatial_bins_x", samples},
          {"spatial_bins_y", samples},
          {"trans_std", float_of(node, "trans_std")},
          {"part_size", parts > 0 ? parts : pooled}});
}

}  // namespace mo::mxnet

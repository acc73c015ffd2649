// Operators of torchvision: what detectors do with boxes, and convolutions with offsets.

#include "core/front/pytorch/extract/extractor.h"
#include "core/ops/window.h"

namespace mo::pytorch {
namespace {

/// Rows of regions are the number of a picture and a box.
struct Regions {
  OutPort boxes, pictures;
};

Regions regions_of(Node& node, Builder& b) {
  const OutPort rois = required(node, "rois");
  const OutPort pictures = b.convert(b.gather(rois, b.i64_scalar(0), 1), ElementType::I64);
  const OutPort boxes = b.gather(rois, b.i64({1, 2, 3, 4}), 1);
  return {boxes, pictures};
}

Attributes align_attributes(const Node& node, const char* mode) {
  const int64_t ratio = int_of(node, "sampling_ratio");
  return {{"pooled_h", int_of(node, "pooled_height")},
          {"pooled_w", int_of(node, "pooled_width")},
          {"spatial_scale", number_of(node, "spatial_scale")},
          {"sampling_ratio", ratio < 0 ? 0 : ratio},
          {"aligned_mode", mode},
          {"batch_dims", Ints{0}},
          {"channel_dims", Ints{1}},
          {"spatial_dims", Ints{2, 3}}};
}

}  // namespace

/// The boxes that no better box overlaps, best first. IR orders corners as y, x: the overlap is the same.
void extract_nms(Node& node) {
  Builder b(node);
  const ElementType type = ElementType::F32;
  const OutPort boxes = as_type(b, required(node, "dets"), type_of(node, "dets"), type);
  const OutPort scores = as_type(b, required(node, "scores"), type_of(node, "scores"), type);
  const OutPort most = b.reshape(b.dims_of(scores, {0}), {});
  const OutPort overlap = b.f32_scalar(static_cast<float>(number_of(node, "iou_threshold")));
  const OutPort found =
      b.op("NonMaxSuppressionONNX", {b.unsqueeze(boxes, {0}), b.unsqueeze(scores, {0, 1}), most, overlap});
  // Of each: image, class, box.
  give(node, {b.gather(found, b.i64_scalar(2), 1)});
}

void extract_roi_align(Node& node) {
  if (result_rank(node) != 4 || rank_of(node, "rois") != 2)
    throw Error(Code::UnsupportedForm, msg("regions of rank ", rank_of(node, "rois")));
  Builder b(node);
  const Regions regions = regions_of(node, b);
  const OutPort x = required(node, "input");
  become(node, "ROIAlign", {x, regions.boxes, regions.pictures},
         align_attributes(node, node.get_bool("aligned") ? "half_pixel_for_nn" : "asymmetric"));
}

/// Rows of regions are the number of a picture and corners, in units of which the scale makes pixels.
void extract_roi_pool(Node& node) {
  const OutPort x = required(node, "input"), rois = required(node, "rois");
  become(node, "ROIPooling", {x, rois},
         {{"pooled_h", int_of(node, "pooled_height")},
          {"pooled_w", int_of(node, "pooled_width")},
          {"spatial_scale", number_of(node, "spatial_scale")},
          {"method", "max"}});
}

/// Of regions for all channels, each bin has channels of its own.
void extract_ps_roi_align(Node& node) {
  const int64_t height = int_of(node, "pooled_height"), width = int_of(node, "pooled_width"), most = 1 << 12;
  if (height < 1 || width < 1 || height > most || width > most)
    throw Error(Code::BadAttribute, msg("regions of ", height, " x ", width));
  Builder b(node);
  const Regions regions = regions_of(node, b);
  const OutPort aligned = b.op("ROIAlign", {required(node, "input"), regions.boxes, regions.pictures},
                               align_attributes(node, "half_pixel_for_nn"));
  const OutPort bins = b.i64({height * width, height * width}), size = b.i64({height, width});
  const OutPort own = b.op("OwnBins", {aligned, bins, size});
  const Ints result = result_sizes(node);
  const OutPort shape = b.i64({0, result.size() == 4 ? result[1] : -1, height, width});
  become(node, "Reshape", {own, shape});
}

/// torchvision rounds corners to pixels, makes regions at least one pixel wide, and leaves the last row and column of
/// pictures out. IR's operation adds 1 to the ends.
void extract_ps_roi_pool(Node& node) {
  const int64_t size = int_of(node, "pooled_height");
  if (size < 1 || size != int_of(node, "pooled_width"))
    throw Error(Code::UnsupportedForm, msg("regions of ", size, " x ", int_of(node, "pooled_width")));
  const Ints result = result_sizes(node);
  if (result.size() != 4 || result[1] < 1) throw Error(Code::UnsupportedForm, "the number of channels is not known");
  Builder b(node);
  const Regions regions = regions_of(node, b);
  const auto number = [&](double value) { return b.constant(make_scalar(type_of(node, "rois"), value)); };
  const OutPort scaled = b.op("Mul", {regions.boxes, number(number_of(node, "spatial_scale"))});
  const OutPort corners = b.op("Round", {scaled}, {{"mode", "half_away_from_zero"}});
  const OutPort begin = b.gather(corners, b.i64({0, 1}), 1), end = b.gather(corners, b.i64({2, 3}), 1);
  const OutPort last = b.op("Maximum", {b.op("Sub", {end, number(1)}), begin});
  const OutPort picture = b.gather(required(node, "rois"), b.i64({0}), 1), rows = b.concat({picture, begin, last}, 1);
  const OutPort x =
      b.op("Slice", {required(node, "input"), b.i64({0, 0}), b.i64({-1, -1}), b.i64({1, 1}), b.i64({2, 3})});
  become(node, "PSROIPooling", {x, rows},
         {{"output_dim", result[1]}, {"group_size", size}, {"spatial_scale", 1.0}, {"mode", "average"}});
}

/// Without `use_mask`, the mask is a tensor that means nothing.
void extract_deform_conv2d(Node& node) {
  SpatialWindow window(2);
  const auto both = [&](const char* height, const char* width) {
    return Ints{int_of(node, height), int_of(node, width)};
  };
  window.strides = both("stride_h", "stride_w");
  window.dilations = both("dilation_h", "dilation_w");
  window.pads_begin = window.pads_end = both("pad_h", "pad_w");
  Attributes attributes{{"group", int_of(node, "groups")}, {"offset_group", int_of(node, "offset_groups")}};
  std::vector<OutPort> sources{required(node, "input"), required(node, "weight"), required(node, "offset"),
                               input(node, "bias")};
  if (int_of(node, "use_mask") != 0) sources.push_back(required(node, "mask"));
  become(node, "DeformConv", sources, std::move(attributes));
  window.set(node);
}

}  // namespace mo::pytorch

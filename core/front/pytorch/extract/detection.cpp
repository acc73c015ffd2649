// Operators of torchvision: what detectors do with boxes, and convolutions with offsets.

#include "core/front/pytorch/extract/extractor.h"
#include "core/ops/window.h"

namespace mo::pytorch {

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

/// Rows of regions are the number of a picture and a box.
void extract_roi_align(Node& node) {
  if (result_rank(node) != 4 || rank_of(node, "rois") != 2)
    throw Error(Code::UnsupportedForm, msg("regions of rank ", rank_of(node, "rois")));
  Builder b(node);
  const OutPort x = required(node, "input"), rois = required(node, "rois");
  const OutPort pictures = b.convert(b.gather(rois, b.i64_scalar(0), 1), ElementType::I64);
  const OutPort boxes = b.gather(rois, b.i64({1, 2, 3, 4}), 1);
  const int64_t ratio = int_of(node, "sampling_ratio");
  become(node, "ROIAlign", {x, boxes, pictures},
         {{"pooled_h", int_of(node, "pooled_height")},
          {"pooled_w", int_of(node, "pooled_width")},
          {"spatial_scale", number_of(node, "spatial_scale")},
          {"sampling_ratio", ratio < 0 ? 0 : ratio},
          {"aligned_mode", node.get_bool("aligned") ? "half_pixel_for_nn" : "asymmetric"},
          {"batch_dims", Ints{0}},
          {"channel_dims", Ints{1}},
          {"spatial_dims", Ints{2, 3}}});
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

// The pipeline.config of TensorFlow's Object Detection API: settings with which a model was trained, and which its
// graph does not show plainly.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace mo::tf {

/// A field: its value, or the protocol's default, or nothing.
template <typename T>
struct Setting {
  std::optional<T> value;
  std::string path;  ///< "model/ssd/num_classes"
  Place place;       ///< of the field, or of the message that lacks it

  bool has() const { return value.has_value(); }
  T or_else(T otherwise) const { return value.value_or(otherwise); }
  /// Throws PipelineFieldMissing.
  const T& required() const {
    if (!value) throw Error(Code::PipelineFieldMissing, msg(path), place);
    return *value;
  }
};

struct PipelineConfig {
  std::string kind;  ///< of the model: "ssd", "faster_rcnn"
  Place place;       ///< of the message `model`

  Setting<int64_t> num_classes;
  // image_resizer: fixed_shape_resizer, or keep_aspect_ratio_resizer
  Setting<int64_t> image_height, image_width;
  Setting<int64_t> min_dimension, max_dimension;
  Setting<bool> pad_to_max_dimension;
  // box_coder/faster_rcnn_box_coder, 1 / variance
  Setting<double> x_scale, y_scale, width_scale, height_scale;
  // anchor_generator/ssd_anchor_generator
  bool has_ssd_anchors = false;
  bool has_shifted_anchors = false;  ///< strides or offsets are given, one for each layer
  Setting<int64_t> num_layers;
  Setting<double> min_scale, max_scale, interpolated_scale_aspect_ratio, base_anchor_height, base_anchor_width;
  Setting<bool> reduce_boxes_in_lowest_layer;
  Setting<std::vector<double>> scales, aspect_ratios;
  // anchor_generator/multiscale_anchor_generator
  bool has_multiscale_anchors = false;
  Setting<int64_t> min_level, max_level, scales_per_octave;
  Setting<double> anchor_scale;
  Setting<std::vector<double>> multiscale_aspect_ratios;
  // first_stage_anchor_generator/grid_anchor_generator
  Setting<double> grid_height, grid_width, grid_height_stride, grid_width_stride;
  Setting<std::vector<double>> grid_scales, grid_aspect_ratios;
  // The first stage and what is cropped for the second
  Setting<double> first_stage_nms_score_threshold, first_stage_nms_iou_threshold;
  Setting<int64_t> first_stage_max_proposals, initial_crop_size;
  Setting<bool> use_matmul_crop_and_resize, share_box_across_classes;
  // second_stage_box_predictor/rfcn_box_predictor
  Setting<int64_t> num_spatial_bins_height, num_spatial_bins_width, crop_height, crop_width;
  // post_processing, second_stage_post_processing
  Setting<bool> add_background_class;
  Setting<std::string> score_converter;
  Setting<double> score_threshold, iou_threshold;
  Setting<int64_t> max_detections_per_class, max_total_detections;
};

/// Fields that it does not need are ignored. Throws what the text reader throws, BadFieldValue for a number out of
/// range, PipelineFieldMissing without a model.
PipelineConfig read_pipeline_config(std::string text, std::string file);

}  // namespace mo::tf

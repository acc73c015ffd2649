// Operations of Detectron's heads (opset6), for one image. Boxes are [R, 4], deltas of a class each [R, classes * 4],
// scores [R, classes]; feature maps [1, C, H, W].

#include "core/ops/detection.h"
#include "core/ops/known.h"

namespace mo {
namespace {

/// Outputs: boxes [most, 4], their classes and scores [most].
void infer_detectron_detection_output(InferContext& c) {
  require_inputs(c, 4);
  const Interval classes = count_of(c, "num_classes", 1);
  const int64_t most = count_of(c, "max_detections_per_image", 0);
  require_columns(c, 0, 4);
  require_columns(c, 1, to_dimension(classes * Interval(4)));
  require_columns(c, 2, to_dimension(classes));
  require_columns(c, 3, 3);
  agree(c, dimension_of(c, 3, 0), 1, "images");
  for (const int i : {1, 2}) agree(c, dimension_of(c, 0, 0), dimension_of(c, i, 0), msg("boxes and rows of input ", i));
  c.set(0, {most, 4}, c.type(0));
  if (c.node().out_count() > 1) c.set(1, {most}, ElementType::I32);
  if (c.node().out_count() > 2) c.set(2, {most}, c.type(0));
}

void attributes_detectron_detection_output(const Node& n, IrAttributes& a) {
  a.add("score_threshold", n.get_float("score_threshold"));
  a.add("nms_threshold", n.get_float("nms_threshold"));
  a.add("max_delta_log_wh", n.get_float("max_delta_log_wh"));
  a.add("num_classes", n.get_int("num_classes"));
  a.add("post_nms_count", n.get_int("post_nms_count"));
  a.add("max_detections_per_image", n.get_int("max_detections_per_image"));
  a.add("class_agnostic_box_regression", n.get_bool("class_agnostic_box_regression"));
  a.add("deltas_weights", n.get_floats("deltas_weights", {10, 10, 5, 5}));
}

/// Inputs: the image's size [3], anchors [H * W * A, 4], deltas [A * 4, H, W], scores [A, H, W].
void infer_detectron_proposals(InferContext& c) {
  require_inputs(c, 4);
  c.require_rank(0, 1, 1);
  agree(c, dimension_of(c, 0, 0), 3, "numbers of the image's size");
  require_columns(c, 1, 4);
  c.require_rank(2, 3, 3);
  c.require_rank(3, 3, 3);
  for (const size_t axis : {1, 2})
    agree(c, dimension_of(c, 2, axis), dimension_of(c, 3, axis), "sizes of deltas and scores");
  agree(c, dimension_of(c, 2, 0), to_dimension(dimension_of(c, 3, 0) * Interval(4)), "anchors of deltas and scores");
  const int64_t kept = count_of(c, "post_nms_count", 1);
  c.set(0, {kept, 4}, c.type(0));
  if (c.node().out_count() > 1) c.set(1, {kept}, c.type(0));
}

void attributes_detectron_proposals(const Node& n, IrAttributes& a) {
  a.add("min_size", n.get_float("min_size"));
  a.add("nms_threshold", n.get_float("nms_threshold"));
  a.add("post_nms_count", n.get_int("post_nms_count"));
  a.add("pre_nms_count", n.get_int("pre_nms_count"));
}

/// Inputs: priors [A, 4], a feature map, and the image; of these two only the shapes count.
void infer_detectron_grid(InferContext& c) {
  require_inputs(c, 3);
  require_columns(c, 0, 4);
  c.require_rank(1, 4, 4);
  c.require_rank(2, 4, 4);
  agree(c, dimension_of(c, 1, 0), dimension_of(c, 2, 0), "images");
  const Dimension priors = dimension_of(c, 0, 0), height = dimension_of(c, 1, 2), width = dimension_of(c, 1, 3);
  if (c.node().get_bool("flatten", true))
    c.set(0, {to_dimension(height * width * priors), 4}, c.type(0));
  else
    c.set(0, {height, width, priors, 4}, c.type(0));
}

void attributes_detectron_grid(const Node& n, IrAttributes& a) {
  a.add("flatten", n.get_bool("flatten", true));
  a.add("h", n.get_int("h"));
  a.add("w", n.get_int("w"));
  a.add("stride_x", n.get_float("stride_x"));
  a.add("stride_y", n.get_float("stride_y"));
}

/// Inputs: boxes, and the feature maps of a pyramid. Outputs: their regions [R, C, size, size], and the boxes.
void infer_detectron_features(InferContext& c) {
  require_inputs(c, 2);
  require_columns(c, 0, 4);
  const int64_t size = count_of(c, "output_size", 1);
  if (const size_t scales = c.node().get_ints("pyramid_scales").size(); scales + 1 < static_cast<size_t>(c.in_count()))
    c.fail(Code::BadAttribute, msg(scales, " pyramid_scales for ", c.in_count() - 1, " feature maps"));
  Dimension channels = kAnyDimension;
  for (int i = 1; i < c.in_count(); ++i) {
    c.require_rank(i, 4, 4);
    agree(c, dimension_of(c, i, 0), 1, "images of a feature map");
    channels = agree(c, channels, dimension_of(c, i, 1), "channels of feature maps");
  }
  const Dimension boxes = dimension_of(c, 0, 0);
  c.set(0, {boxes, channels, size, size}, c.type(1));
  if (c.node().out_count() > 1) c.set(1, {boxes, 4}, c.type(0));
}

void attributes_detectron_features(const Node& n, IrAttributes& a) {
  a.add("output_size", n.get_int("output_size"));
  a.add("sampling_ratio", n.get_int("sampling_ratio", 2));
  a.add("pyramid_scales", n.get_ints("pyramid_scales"));
  a.add("aligned", n.get_bool("aligned"));
}

/// Inputs: boxes and their scores [R].
void infer_detectron_best(InferContext& c) {
  require_inputs(c, 2);
  require_columns(c, 0, 4);
  c.require_rank(1, 1, 1);
  agree(c, dimension_of(c, 0, 0), dimension_of(c, 1, 0), "boxes and scores");
  c.set(0, {count_of(c, "max_rois", 0), 4}, c.type(0));
}

void attributes_detectron_best(const Node& n, IrAttributes& a) { a.add("max_rois", n.get_int("max_rois")); }

constexpr OpDef kExperimentalDetectronDefs[] = {
    {.op = "ExperimentalDetectronDetectionOutput",
     .type = "ExperimentalDetectronDetectionOutput",
     .version = "opset6",
     .infer = infer_detectron_detection_output,
     .ir_attributes = attributes_detectron_detection_output},
    {.op = "ExperimentalDetectronGenerateProposalsSingleImage",
     .type = "ExperimentalDetectronGenerateProposalsSingleImage",
     .version = "opset6",
     .infer = infer_detectron_proposals,
     .ir_attributes = attributes_detectron_proposals},
    {.op = "ExperimentalDetectronPriorGridGenerator",
     .type = "ExperimentalDetectronPriorGridGenerator",
     .version = "opset6",
     .infer = infer_detectron_grid,
     .ir_attributes = attributes_detectron_grid,
     .layout = {LayoutClass::Reshapes}},
    {.op = "ExperimentalDetectronROIFeatureExtractor",
     .type = "ExperimentalDetectronROIFeatureExtractor",
     .version = "opset6",
     .infer = infer_detectron_features,
     .ir_attributes = attributes_detectron_features,
     .layout = {LayoutClass::Reshapes}},
    {.op = "ExperimentalDetectronTopKROIs",
     .type = "ExperimentalDetectronTopKROIs",
     .version = "opset6",
     .infer = infer_detectron_best,
     .ir_attributes = attributes_detectron_best},
};

}  // namespace

OpFamily ops_ExperimentalDetectron() { return kExperimentalDetectronDefs; }

}  // namespace mo

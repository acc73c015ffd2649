// Before: box encodings, class predictions, anchors -> decoding of boxes, score_converter, non-maximum suppression
//         -> detection_boxes, detection_scores, detection_classes, num_detections
// After:  box encodings, with x before y; scores; prior boxes -> DetectionOutput, the only output
// Conditions: the configuration has an entry with that id, and a pipeline.config is given. The first three start points
// read encodings, predictions and anchors.

#include "core/front/tf/detection/ssd_priors.h"

namespace mo {
namespace {

using namespace tf;

/// The predictions are divided by logit_scale where they enter.
OutPort predictions(const PointsMatch& match) {
  const OutPort source = match.input(1);
  const bool divided = match.start[1]->op() == "Div" && match.start[1]->source(0) == source;
  return divided ? match.start[1]->out(0) : source;
}

class ObjectDetectionAPISSDPostprocessorReplacement final : public DetectionTransform {
 public:
  std::string_view replacement_id() const override { return "ObjectDetectionAPISSDPostprocessorReplacement"; }
  Names run_after() const override {
    return {"ObjectDetectionAPIPreprocessorReplacement", "ObjectDetectionAPIPreprocessor2Replacement"};
  }

  void replace(Graph& graph, const ReplacementDescription& description) override {
    const PipelineConfig& config = pipeline_config(graph, description);
    const PointsMatch match = match_between(graph, description);
    const bool background = bool_of(description, "add_background_class", config.add_background_class.or_else(true));
    const int64_t classes = int_of(description, "num_classes", config.num_classes) + background;
    Builder b(graph, "DetectionOutput");

    const OutPort boxes = b.reshape(swap_corners(b, match.input(0), 0), {0, -1});
    const OutPort scores = activate(b, b.reshape(predictions(match), {0, -1, classes}),
                                    text_of(description, "postprocessing_score_converter", config.score_converter),
                                    config.score_converter.place);
    OutPort priors;
    if (!bool_of(description, "disable_prior_boxes_layers_generator", false))
      priors = ssd_priors(b, graph, description, config);
    if (!priors) priors = with_variances(b, swap_corners(b, match.input(2), 1), variances(config));

    Node& made = detection_output(
        b, "DetectionOutput", description, {boxes, b.reshape(scores, {0, -1}), priors},
        {{"background_label_id", background ? 0 : -1},
         {"variance_encoded_in_target", false},
         {"confidence_threshold", float_of(description, "postprocessing_score_threshold", config.score_threshold)},
         {"top_k", int_of(description, "postprocessing_max_detections_per_class", config.max_detections_per_class)},
         {"keep_top_k", int_of(description, "postprocessing_max_total_detections", config.max_total_detections)},
         {"nms_threshold", float_of(description, "postprocessing_iou_threshold", config.iou_threshold)}});
    replace_results(graph, match.nodes, made);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(ObjectDetectionAPISSDPostprocessorReplacement)
}  // namespace mo

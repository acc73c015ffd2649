// Before: second stage's offsets and class predictions, proposals -> decoding, score_converter, suppression
//         -> detection_boxes, detection_scores, detection_classes, num_detections
// After:  offsets * variances, with x before y; scores; `crop_proposals`, with x before y -> DetectionOutput
//         `detection_output`, an output in their place
// Conditions: the configuration has an entry with that id, of kind points or scope, whose first two inputs are the
// offsets [N * P, classes or 1, 4] and predictions [N * P, classes + 1]; a pipeline.config is given. The first stage
// has been replaced.

#include "core/front/tf/detection/detection.h"

namespace mo {
namespace {

using namespace tf;

struct Stage {
  OutPort offsets, predictions;
  std::vector<Node*> nodes;
};

Stage find_stage(Graph& graph, const ReplacementDescription& description) {
  if (description.kind == MatchKind::Points) {
    PointsMatch match = match_between(graph, description);
    return {match.input(0), match.input(1), std::move(match.nodes)};
  }
  const std::vector<SubgraphMatch> matches = match_subgraphs(graph, description);
  if (matches.empty()) {
    std::string scopes;
    for (const std::string& scope : description.scopes) scopes += cat(scopes.empty() ? "" : ", ", scope);
    fail_match(description, msg("no node names of the model match ", scopes));
  }
  const auto source = [&](int i) {
    const std::vector<InPort>& ports = matches[0].input_nodes(i);
    if (ports.empty() || !ports[0].source()) fail_match(description, msg("input ", i, " has no nodes"));
    return ports[0].source();
  };
  return {source(0), source(1), matches[0].nodes()};
}

class ObjectDetectionAPIDetectionOutputReplacement final : public DetectionTransform {
 public:
  std::string_view replacement_id() const override { return "ObjectDetectionAPIDetectionOutputReplacement"; }
  Names run_after() const override { return {"ObjectDetectionAPIProposalReplacement"}; }
  Names run_before() const override { return {"ObjectDetectionAPIMaskRCNNROIPoolingSecondReplacement"}; }

  void replace(Graph& graph, const ReplacementDescription& description) override {
    const PipelineConfig& config = pipeline_config(graph, description);
    const Stage stage = find_stage(graph, description);
    Node* proposals = find_made(graph, "crop_proposals");
    if (!proposals) fail_match(description, "ObjectDetectionAPIProposalReplacement has made no proposals");
    const int64_t classes = int_of(description, "num_classes", config.num_classes);
    const int64_t count = int_of(description, "first_stage_max_proposals", config.first_stage_max_proposals);
    const bool shared =
        bool_of(description, "share_box_across_classes", config.share_box_across_classes.or_else(false));
    Builder b(graph, "detection_output");

    const OutPort scores = activate(b, b.reshape(stage.predictions, {-1, classes + 1}),
                                    text_of(description, "postprocessing_score_converter", config.score_converter),
                                    config.score_converter.place);
    const OutPort order = b.i64({1, 0, 3, 2});
    OutPort offsets = b.gather(b.reshape(stage.offsets, {-1, shared ? 1 : classes, 4}), order, 2);
    // DetectionOutput asks for boxes of the background, and does not read them.
    if (!shared) offsets = b.concat({b.gather(offsets, b.i64({0}), 1), offsets}, 1);
    const Doubles variance = variances(config);
    const OutPort scaled =
        b.op("Mul", {offsets, b.constant(make_f32({4}, std::vector<float>(variance.begin(), variance.end())))});
    const OutPort priors = b.reshape(swap_corners(b, proposals->out(0), 0), {-1, 1, count * 4});

    Node& made = detection_output(
        b, "detection_output", description,
        {b.reshape(scaled, {-1, (shared ? 1 : classes + 1) * count * 4}),
         b.reshape(scores, {-1, (classes + 1) * count}), priors},
        {{"background_label_id", int_of(description, "background_label_id", {.value = 0, .path = {}, .place = {}})},
         {"share_location", shared},
         {"variance_encoded_in_target", true},
         {"code_type", "caffe.PriorBoxParameter.CENTER_SIZE"},
         {"confidence_threshold", float_of(description, "postprocessing_score_threshold", config.score_threshold)},
         {"top_k", int_of(description, "postprocessing_max_detections_per_class", config.max_detections_per_class)},
         {"keep_top_k", int_of(description, "postprocessing_max_total_detections", config.max_total_detections)},
         {"nms_threshold", float_of(description, "postprocessing_iou_threshold", config.iou_threshold)}});
    replace_results(graph, stage.nodes, made);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(ObjectDetectionAPIDetectionOutputReplacement)
}  // namespace mo

// Before: first stage's offsets, its scores, anchors -> decoding, suppression, normalisation -> boxes [N, P, 4]
// After:  scores, sorted by class, offsets and `image_info` -> Proposal; or, if operation_to_add is DetectionOutput,
//         offsets, scores and anchors -> DetectionOutput; then `crop_proposals` with the boxes, y before x
// Conditions: the configuration has an entry with that id, and a pipeline.config is given. The first three start points
// have the offsets, scores and anchors; Proposal takes one grid. The first end point gives the boxes.

#include "core/base/text.h"
#include "core/front/tf/detection/detection.h"

namespace mo {
namespace {

using namespace tf;

/// The node that adds a bias, on the way from `start` along inputs 0.
Node& find_bias(Node& start, const ReplacementDescription& description) {
  Node* node = &start;
  for (size_t hops = 0; hops < start.graph().ids(); ++hops) {
    if (node->op() == "Add" || node->op() == "AxisBroadcast") return *node;
    if (node->in_count() == 0 || !node->has_in(0)) break;
    node = &node->source(0).node();
  }
  fail_match(description, msg("no convolution with a bias is in front of '", start.name(), "'"), start.place());
}

double positive(const Setting<double>& setting) {
  if (setting.required() > 0) return setting.required();
  throw Error(Code::BadFieldValue, msg(setting.path, " is ", setting.required()), setting.place);
}

class ObjectDetectionAPIProposalReplacement final : public DetectionTransform {
 public:
  std::string_view replacement_id() const override { return "ObjectDetectionAPIProposalReplacement"; }
  Names run_after() const override {
    return {"ObjectDetectionAPIPreprocessorReplacement", "ObjectDetectionAPIPreprocessor2Replacement"};
  }

  void replace(Graph& graph, const ReplacementDescription& description) override {
    const PipelineConfig& config = pipeline_config(graph, description);
    const PointsMatch match = match_between(graph, description);
    const int64_t kept = int_of(description, "first_stage_max_proposals", config.first_stage_max_proposals);
    const std::string operation =
        text_of(description, "operation_to_add", {.value = "Proposal", .path = {}, .place = {}});
    Builder b(graph, "proposals");
    const OutPort boxes = operation == "DetectionOutput" ? by_detection_output(b, graph, match, config, kept)
                                                         : by_proposal(b, graph, match, config, kept);
    Node& made = b.node("Reshape", {boxes, b.i64({-1, kept, 4})}, {{"special_zero", true}});
    made.set_name(graph.unique_name("crop_proposals"));
    match.end[0]->out(0).connection().set_source(made.out(0), TensorNames::Source);
  }

 private:
  static double threshold(const PointsMatch& match, const PipelineConfig& config) {
    return float_of(match.description, "first_stage_nms_iou_threshold", config.first_stage_nms_iou_threshold);
  }

  /// Boxes [N * P, 4], y before x.
  static OutPort by_proposal(Builder& b, Graph& graph, const PointsMatch& match, const PipelineConfig& config,
                             int64_t kept) {
    const Doubles ratios = config.grid_aspect_ratios.required(), scales = config.grid_scales.required();
    const int64_t anchors = static_cast<int64_t>(ratios.size() * scales.size());
    if (anchors == 0) throw Error(Code::PipelineFieldMissing, config.grid_scales.path, config.grid_scales.place);
    same(graph, config.x_scale, config.y_scale);
    same(graph, config.width_scale, config.height_scale);
    same(graph, config.grid_height_stride, config.grid_width_stride);
    same(graph, config.grid_height, config.grid_width);

    // The graph has both classes of one anchor together, Proposal all anchors of one class.
    const OutPort grid = find_bias(*match.start[1], match.description).out(0);
    const OutPort softmax = b.op("SoftMax", {b.reshape(grid, {0, -1, anchors, 2})}, {{"axis", 3}});
    const OutPort scores =
        b.op("Reshape", {b.transpose(softmax, {0, 1, 3, 2}), b.shape_of(grid)}, {{"special_zero", false}});
    const OutPort offsets = find_bias(*match.start[0], match.description).out(0);
    Node& info = graph.add_node("Parameter", "image_info");
    info.set("shape", PartialShape{1, 3});
    info.set("data_type", ElementType::F32);
    info.add_out_ports(1);
    info.out(0).tensor().add_name(info.name());

    Attributes attributes{{"base_size", static_cast<int64_t>(positive(config.grid_height))},
                          {"pre_nms_topn", int64_t{INT32_MAX}},
                          {"post_nms_topn", kept},
                          {"nms_thresh", threshold(match, config)},
                          {"feat_stride", static_cast<int64_t>(positive(config.grid_height_stride))},
                          {"min_size", 1},
                          {"ratio", ratios},
                          {"scale", scales},
                          {"clip_before_nms", bool_of(match.description, "clip_before_nms", true)},
                          {"clip_after_nms", bool_of(match.description, "clip_after_nms", false)},
                          {"normalize", true},
                          {"box_size_scale", positive(config.height_scale)},
                          {"box_coordinate_scale", positive(config.x_scale)},
                          {"framework", "tensorflow"},
                          {"batch_dims", Ints{0}},
                          {"channel_dims", Ints{3}},
                          {"spatial_dims", Ints{1, 2}}};
    Node& made = b.node("Proposal", {scores, offsets, b.reshape(info.out(0), {3})}, std::move(attributes));
    made.set_name(graph.unique_name("proposals"));
    return b.gather(made.out(0), b.i64({1, 2, 3, 4}), 1);
  }

  static void same(Graph& graph, const Setting<double>& one, const Setting<double>& other) {
    if (one.required() != other.required())
      graph.model().diagnostics.warn(Code::ProposalApproximates,
                                     msg(one.path, " is ", one.required(), ", ", other.path, " is ", other.required()),
                                     other.place);
  }

  /// Boxes [N * P, 4], y before x. The anchors are in pixels, y before x.
  static OutPort by_detection_output(Builder& b, Graph& graph, const PointsMatch& match, const PipelineConfig& config,
                                     int64_t kept) {
    if (match.start.size() < 3) fail_match(match.description, "the third start point has the anchors");
    const OutPort offsets = find_bias(*match.start[0], match.description).out(0);
    const OutPort grid = find_bias(*match.start[1], match.description).out(0);
    const OutPort scores = b.op("SoftMax", {b.reshape(grid, {0, -1, 2})}, {{"axis", 2}});
    const OutPort image = b.dims_of(image_input(graph, match.description).out(0), {1, 2, 1, 2});
    const OutPort anchors = b.op(
        "Div", {b.reshape(match.start[2]->out(0), {-1, 4}), b.op("Cast", {image}, {{"dst_type", ElementType::F32}})});
    const OutPort clamped = b.op("AttributedClamp", {anchors}, {{"min", 0.0}, {"max", 1.0}});
    Node& made = detection_output(b, "first_do", match.description,
                                  {b.reshape(swap_corners(b, offsets, 0), {0, -1}), b.reshape(scores, {0, -1}),
                                   with_variances(b, swap_corners(b, clamped, 1), variances(config))},
                                  {{"background_label_id", 0},
                                   {"clip_after_nms", true},
                                   {"clip_before_nms", false},
                                   {"code_type", "caffe.PriorBoxParameter.CENTER_SIZE"},
                                   {"confidence_threshold", 0.0},
                                   {"keep_top_k", kept},
                                   {"share_location", true},
                                   {"top_k", 6000},
                                   {"nms_threshold", threshold(match, config)}});
    const OutPort order = b.i64({4, 3, 6, 5});
    const OutPort found = b.gather(b.reshape(made.out(0), {-1, 7}), order, 1);
    return b.op("AttributedClamp", {found}, {{"min", 0.0}, {"max", 1.0}});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(ObjectDetectionAPIProposalReplacement)
}  // namespace mo

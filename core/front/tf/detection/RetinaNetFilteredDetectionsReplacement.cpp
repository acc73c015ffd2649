// Before: regression, classification, anchors -> decoding, clipping, suppression of each class in a loop
// After:  regression * [width, height, width, height] of the anchors; classification; anchors as parts of the image and
//         their variances -> DetectionOutput, the only output
// Conditions: the configuration has an entry with that id, whose first three points are the nodes of the three; its
// variance is that of the model. The model has one input. The threshold is that of its NonMaxSuppression.

#include "core/front/tf/detection/detection.h"

namespace mo {
namespace {

using namespace tf;

class RetinaNetFilteredDetectionsReplacement final : public DetectionTransform {
 public:
  std::string_view replacement_id() const override { return "RetinaNetFilteredDetectionsReplacement"; }

  void replace(Graph& graph, const ReplacementDescription& description) override {
    if (description.start_points.size() < 3)
      throw Error(Code::BadSubgraph, msg("the entry with id '", description.id, "' has fewer than three start points"));
    const PointsMatch match = match_between(graph, description);
    if (graph.parameters.size() != 1)
      fail_match(description, msg("the model has ", graph.parameters.size(), " inputs, not one"));
    Builder b(graph, "DetectionOutput");
    const Doubles variance = variance_of(description);
    const OutPort priors = scaled_priors(b, match.start[2]->out(0), graph.parameters[0]->out(0));
    // Regressions are parts of the width or height of their anchor; CORNER adds them as they are.
    Node& corners = b.node("Split", {priors, b.i64_scalar(2)}, {{"num_splits", 4}}, 4);
    const OutPort width = b.op("Sub", {corners.out(2), corners.out(0)}),
                  height = b.op("Sub", {corners.out(3), corners.out(1)});
    const OutPort boxes = b.op("Mul", {match.start[0]->out(0), b.concat({width, height, width, height}, 2)});
    const double nms_threshold = threshold(graph, description);
    Node& made = detection_output(
        b, "DetectionOutput", description,
        {b.reshape(boxes, {0, -1}), b.reshape(match.start[1]->out(0), {0, -1}), with_variances(b, priors, variance)},
        {{"nms_threshold", nms_threshold},
         {"clip_after_nms", true},
         {"normalized", true},
         {"variance_encoded_in_target", false},
         {"background_label_id", 1000}});
    replace_results(graph, match.nodes, made);
  }

 private:
  static Doubles variance_of(const ReplacementDescription& description) {
    const Doubles* given = description.custom_attributes.values.get_if<Doubles>("variance");
    if (given && given->size() == 4) return *given;
    throw Error(Code::BadConfigEntry,
                msg("entry with id '", description.id, "': the custom attribute 'variance' is a list of four numbers"));
  }

  /// The anchors of the first image, which are those of all, as parts of the image: [1, n, 4].
  static OutPort scaled_priors(Builder& b, OutPort anchors, OutPort image) {
    const OutPort first = b.gather(anchors, b.i64({0}), 0);
    const OutPort size = b.op("Cast", {b.dims_of(image, {2, 1, 2, 1})}, {{"dst_type", ElementType::F32}});
    return b.op("Div", {first, size});
  }

  static double threshold(Graph& graph, const ReplacementDescription& description) {
    std::optional<double> found;
    for_each_graph(graph, [&](Graph& body) {
      for (Node* node : body.nodes()) {
        if (found || !node->op().starts_with("NonMaxSuppression") || !node->has_in(3)) continue;
        const Node& source = node->source(3).node();
        const Constant* value = source.op() == "Const" ? source.get_constant("value") : nullptr;
        const auto values = value ? read_doubles(*value, graph.files()) : std::nullopt;
        if (values && values->size() == 1) found = values->front();
      }
    });
    if (!found) fail_match(description, "the model has no NonMaxSuppression with a constant threshold");
    return *found;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(RetinaNetFilteredDetectionsReplacement)
}  // namespace mo

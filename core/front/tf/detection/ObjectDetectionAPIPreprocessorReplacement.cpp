// Before: image_tensor -> Cast -> Preprocessor/(loop with ResizeBilinear; Mul, Sub in either order) -> network
// After:  image_tensor -> Cast -> Mul -> Sub -> network; image_tensor has the size that the images are resized to
// Conditions: the configuration has an entry with that id, and a pipeline.config is given. The first output of the
// scope is a Sub.

#include "core/front/tf/detection/detection.h"

namespace mo {
namespace {

constexpr const char* kResized = "Preprocessor/map/TensorArrayStack/TensorArrayGatherV3";

/// The input of a Mul or Sub that is not a constant.
InPort data_input(Node& node) {
  require_input(node, 0);
  return node.source(0).node().op() == "Const" ? node.in(1) : node.in(0);
}

class ObjectDetectionAPIPreprocessorReplacement final : public tf::DetectionTransform {
 public:
  std::string_view replacement_id() const override { return "ObjectDetectionAPIPreprocessorReplacement"; }

  void replace(Graph& graph, const ReplacementDescription& description) override {
    const tf::PipelineConfig& config = tf::pipeline_config(graph, description);
    const std::vector<SubgraphMatch> matches = match_subgraphs(graph, description);
    if (matches.empty()) tf::fail_match(description, msg("no node names of the model match ", scopes(description)));
    const OutPort output = matches[0].output_node(0);
    if (output.node().op() != "Sub")
      throw Error(Code::BadSubgraph,
                  msg("the first output of the scope of the entry with id '", description.id,
                      "' is no Sub: the model does not look like one of the Object Detection API"),
                  output.node().place());
    tf::set_image_size(graph, description, config);
    Node& sub = output.node();
    const OutPort before_sub = data_input(sub).source();
    Node& first = before_sub && before_sub.node().op() == "Mul" ? before_sub.node() : sub;
    const OutPort images = cast_images(graph, description);
    const InPort data = data_input(first);
    if (data.source() == images) {
      Node* resized = find_named(graph, kResized);
      if (!resized) tf::fail_match(description, msg("the model has no node '", kResized, "'"));
      resized->out(0).connection().set_source(sub.out(0), TensorNames::Source);
    } else {
      data.connect(images);
    }
    tf::remove_results(graph, matches[0].nodes());
    graph.model().diagnostics.warn(Code::PreprocessingRemoved, "mean values and scale of the images are kept");
  }

 private:
  static std::string scopes(const ReplacementDescription& description) {
    std::string out;
    for (const std::string& scope : description.scopes) out += cat(out.empty() ? "" : ", ", scope);
    return out;
  }

  static OutPort cast_images(Graph& graph, const ReplacementDescription& description) {
    Node& input = tf::image_input(graph, description);
    for (const InPort& port : input.out(0).destinations())
      if (port.node().op() == "Cast") return port.node().out(0);
    throw Error(Code::BadSubgraph, msg("no Cast reads '", input.name(), "'"), input.place());
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(ObjectDetectionAPIPreprocessorReplacement)
}  // namespace mo

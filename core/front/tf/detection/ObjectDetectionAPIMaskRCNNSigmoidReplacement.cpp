// Before: mask network -> Result
// After:  mask network -> Sigmoid `masks` -> Result
// Conditions: the configuration has an entry with that id. The name of the node that the Result reads begins with
// masks_node_prefix_name, by default SecondStageBoxPredictor.

#include "core/front/tf/detection/detection.h"

namespace mo {
namespace {

class ObjectDetectionAPIMaskRCNNSigmoidReplacement final : public tf::DetectionTransform {
 public:
  std::string_view replacement_id() const override { return "ObjectDetectionAPIMaskRCNNSigmoidReplacement"; }
  Names run_after() const override { return {"ObjectDetectionAPIMaskRCNNROIPoolingSecondReplacement"}; }

  void replace(Graph& graph, const ReplacementDescription& description) override {
    const std::string prefix = tf::text_of(description, "masks_node_prefix_name",
                                           {.value = "SecondStageBoxPredictor", .path = {}, .place = {}});
    bool found = false;
    const std::vector<Node*> results = graph.results;
    for (Node* result : results) {
      const OutPort source = result->source(0);
      if (!source || !begins(source.node().name(), prefix)) continue;
      Builder b(graph, "masks");
      Node& sigmoid = b.node("Sigmoid", {source});
      sigmoid.set_name(graph.unique_name("masks"));
      sigmoid.out(0).tensor().add_name(sigmoid.name());
      result->in(0).connect(sigmoid.out(0));
      found = true;
    }
    if (!found) tf::fail_match(description, msg("no output of the model has a name that begins with '", prefix, "'"));
  }

 private:
  /// With or without the name of the call, as find_named().
  static bool begins(std::string_view name, const std::string& prefix) {
    for (const std::string_view call : {"", "StatefulPartitionedCall/", "PartitionedCall/"})
      if (name.starts_with(call) && name.substr(call.size()).starts_with(prefix)) return true;
    return false;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(ObjectDetectionAPIMaskRCNNSigmoidReplacement)
}  // namespace mo

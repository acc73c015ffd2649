// Before: the model, with its Results
// After:  a Result for each node that `outputs` names: "a|b,c" names the first of a and b that the model has, and c
// Conditions: the configuration has an entry with that id; --output is not given.

#include "core/base/text.h"
#include "core/front/tf/detection/detection.h"

namespace mo {
namespace {

class ObjectDetectionAPIOutputReplacement final : public tf::DetectionTransform {
 public:
  std::string_view replacement_id() const override { return "ObjectDetectionAPIOutputReplacement"; }
  Names run_before() const override {
    return {"ObjectDetectionAPIPreprocessorReplacement", "ObjectDetectionAPIPreprocessor2Replacement"};
  }

  void replace(Graph& graph, const ReplacementDescription& description) override {
    for (const OptionText& option : graph.model().options)
      if (option.name == "output") return;
    std::vector<Node*> outputs;
    const std::string listed = tf::text_of(description, "outputs", {.value = {}, .path = "outputs"});
    for (const std::string& alternatives : split(listed, ',')) {
      for (const std::string& name : split(alternatives, '|')) {
        Node* node = find_named(graph, std::string(trim(name)));
        if (!node || node->out_count() == 0) continue;
        outputs.push_back(node);
        break;
      }
    }
    if (outputs.empty()) tf::fail_match(description, msg("the model has none of the nodes ", printable(listed)));
    const std::vector<Node*> before = graph.results;
    for (Node* result : before) graph.remove(*result);
    for (Node* node : outputs) {
      Node& result = graph.add_node("Result", node->name() + "/sink_port_0");
      result.add_in_ports(1);
      result.in(0).connect(node->out(0));
    }
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(ObjectDetectionAPIOutputReplacement)
}  // namespace mo

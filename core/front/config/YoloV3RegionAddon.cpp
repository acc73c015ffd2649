// Before: the model, with its Results
// After:  for each node of `entry_points` RegionYolo of its input 0, with its element of `masks` as mask, and a Result;
//         nodes that no Result needs disappear
// Conditions: the configuration has an entry with the id TFYOLOV3. If the entry has no do_softmax, RegionYolo gets 0.

#include "core/front/config/FrontReplacementFromConfigFileGeneral.h"
#include "core/front/config/region_yolo.h"

namespace mo {
namespace {

[[noreturn]] void fail_v3(const Detail& why) {
  throw Error(Code::BadConfigEntry, msg("entry with id 'TFYOLOV3': ", why));
}

class YoloV3RegionAddon final : public FrontReplacementFromConfigFileGeneral {
 public:
  std::string_view replacement_id() const override { return "TFYOLOV3"; }

  void transform_graph(Graph& graph, const CustomAttributes& given) override {
    Attributes attributes = given.values;
    const Strings entry_points =
        attributes.get_if<Strings>("entry_points") ? *attributes.get_if<Strings>("entry_points") : Strings();
    if (entry_points.empty()) fail_v3("entry_points names no nodes");
    attributes.erase("entry_points");
    if (!attributes.find("do_softmax")) attributes.set("do_softmax", false);
    const auto masks = given.lists.find("masks");
    if (masks != given.lists.end() && masks->second.size() < entry_points.size())
      fail_v3("masks has fewer elements than entry_points");
    const std::vector<Node*> before = graph.results;
    for (size_t i = 0; i < entry_points.size(); ++i) {
      Node* node = graph.find(entry_points[i]);
      if (!node || !node->source(0)) fail_v3(msg("there is no node '", entry_points[i], "' with an input"));
      if (masks != given.lists.end()) attributes.set("mask", Ints(masks->second[i]));
      Node& region = add_region_yolo(node->source(0), attributes);
      Node& result = graph.add_node("Result", region.name() + "/Result");
      result.add_in_ports(1);
      result.in(0).connect(region.out(0));
    }
    for (Node* result : before) graph.remove(*result);
    graph.clean_up();
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(YoloV3RegionAddon)
}  // namespace mo

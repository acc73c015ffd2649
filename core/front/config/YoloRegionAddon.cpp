// Before: Result(boxes)
// After:  Result(RegionYolo(boxes)), for every Result; a Transpose to NCHW in front of it if channels are last
// Conditions: the configuration has an entry with the id TFYOLO, whose custom attributes are those of RegionYolo.

#include "core/front/config/FrontReplacementFromConfigFileGeneral.h"
#include "core/front/config/region_yolo.h"

namespace mo {

Node& add_region_yolo(OutPort boxes, const Attributes& attributes) {
  Graph& graph = boxes.node().graph();
  Builder b(graph, boxes.node().name());
  Node& region = graph.add_node("RegionYolo", boxes.node().name() + "/YoloRegion");
  region.attributes = attributes;
  region.add_in_ports(1);
  region.add_out_ports(1);
  region.in(0).connect(graph.model().layout == DataLayout::Nhwc ? b.transpose(boxes, {0, 3, 1, 2}) : boxes);
  return region;
}

namespace {

class YoloRegionAddon final : public FrontReplacementFromConfigFileGeneral {
 public:
  std::string_view replacement_id() const override { return "TFYOLO"; }

  void transform_graph(Graph& graph, const CustomAttributes& given) override {
    const std::vector<Node*> results = graph.results;
    for (Node* result : results) {
      const OutPort boxes = result->source(0);
      if (!boxes) continue;
      result->in(0).disconnect();
      result->in(0).connect(add_region_yolo(boxes, given.values).out(0));
    }
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(YoloRegionAddon)
}  // namespace mo

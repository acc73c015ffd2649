// Before: RoiAlign of each feature map for the boxes of its level, several times
// After:  one ExperimentalDetectronROIFeatureExtractor for each, named like the last node that it replaces
// Conditions: the configuration has an entry with the id ONNXPersonDetectionCrossroadReplacement, whose custom
// attributes name the feature maps, and where each of these parts begins and ends.

#include "core/front/config/FrontReplacementFromConfigFileGeneral.h"
#include "core/front/config/configured_nodes.h"
#include "core/front/onnx/detection/roi_features.h"

namespace mo {
namespace {

class ONNXPersonDetectionCrossroadReplacement final : public FrontReplacementFromConfigFileGeneral {
 public:
  std::string_view replacement_id() const override { return "ONNXPersonDetectionCrossroadReplacement"; }

  void transform_graph(Graph& graph, const CustomAttributes& given) override {
    ConfiguredNodes named(graph, replacement_id(), given);
    const std::vector<OutPort> pyramid = named.outputs("fpn_heads"),
                               begins = named.outputs("ROI_feature_extractor_inputs"),
                               ends = named.outputs("ROI_feature_extractor_outputs");
    named.require_all();
    if (pyramid.size() > 5) named.fail(msg("fpn_heads names ", pyramid.size(), " nodes, at most 5"));
    if (begins.size() != ends.size())
      named.fail("ROI_feature_extractor_inputs and ROI_feature_extractor_outputs have different lengths");
    for (size_t i = 0; i < begins.size(); ++i) {
      Node& old = ends[i].node();
      const std::string name = old.name();
      old.set_name(graph.unique_name(name + "/old"));
      Node& features = onnx::add_roi_features(graph, name + "/features", begins[i], pyramid, 7);
      ends[i].connection().set_source(features);
      features.set_name(name);
    }
    graph.clean_up();
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(ONNXPersonDetectionCrossroadReplacement)
}  // namespace mo

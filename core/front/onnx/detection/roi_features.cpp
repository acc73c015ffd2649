#include "core/front/onnx/detection/roi_features.h"

namespace mo::onnx {

Node& add_roi_features(Graph& graph, std::string_view name, OutPort boxes, const std::vector<OutPort>& pyramid,
                       int64_t size) {
  Node& node = graph.add_node("ExperimentalDetectronROIFeatureExtractor", name);
  node.attributes = {{"output_size", size}, {"sampling_ratio", 2}, {"pyramid_scales", Ints{4, 8, 16, 32, 64}}};
  node.add_in_ports(static_cast<int>(pyramid.size()) + 1);
  node.add_out_ports(2);
  node.in(0).connect(boxes);
  for (size_t i = 0; i < pyramid.size(); ++i) node.in(static_cast<int>(i) + 1).connect(pyramid[i]);
  return node;
}

}  // namespace mo::onnx

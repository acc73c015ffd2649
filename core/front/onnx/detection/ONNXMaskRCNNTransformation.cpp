// Before: RoiAlign of each feature map for the boxes of its level, twice, and between them the choice of the best boxes
// After:  boxes -> ROIFeatureExtractor_2 -> the heads -> DetectionOutput -> ROIFeatureExtractor_1 -> the masks
// Conditions: the configuration has an entry with the id ONNXMaskRCNNReplacement, whose custom attributes name where
// these parts begin and end. Without ROIFeatureExtractor1_output there are no masks (Faster R-CNN); without num_classes
// there are 81. The model gets an input im_info: height, width and scale of the image.

#include "core/build/builder.h"
#include "core/front/config/FrontReplacementFromConfigFileGeneral.h"
#include "core/front/config/configured_nodes.h"
#include "core/front/onnx/detection/roi_features.h"

namespace mo {
namespace {

class ONNXMaskRCNNTransformation final : public FrontReplacementFromConfigFileGeneral {
 public:
  std::string_view replacement_id() const override { return "ONNXMaskRCNNReplacement"; }

  void transform_graph(Graph& graph, const CustomAttributes& given) override {
    ConfiguredNodes named(graph, replacement_id(), given);
    const std::vector<OutPort> pyramid = named.outputs("input_fpn_heads"), detections = named.outputs("do_outputs");
    const OutPort boxes = named.output("ROIFeatureExtractor2_input"),
                  features = named.output("ROIFeatureExtractor2_output"),
                  deltas = named.output("box_regressions_input_node"), scores = named.output("class_predicitons_node");
    const bool masks = named.has("ROIFeatureExtractor1_output");
    const OutPort mask_features = masks ? named.output("ROIFeatureExtractor1_output") : OutPort();
    named.require_all();
    if (pyramid.size() > 5) named.fail(msg("input_fpn_heads names ", pyramid.size(), " nodes, at most 5"));
    if (detections.size() != 3) named.fail(msg("do_outputs names ", detections.size(), " nodes, want 3"));

    Node& of_boxes = onnx::add_roi_features(graph, "ROIFeatureExtractor_2", boxes, pyramid, 7);
    features.connection().set_source(of_boxes);

    Node& detection = add_detection_output(graph, named);
    Builder b(detection);
    const int64_t classes = detection.get_int("num_classes");
    const OutPort of_classes = b.reshape(deltas, {-1, 4 * classes});
    for (const auto& [port, source] : {std::pair(0, OutPort(&of_boxes, 1)), std::pair(1, of_classes),
                                       std::pair(2, scores), std::pair(3, OutPort(add_image_info(graph)))})
      detection.in(port).connect(source);
    const OutPort results[] = {detection.out(0), b.convert(detection.out(1), ElementType::I64), detection.out(2)};
    for (size_t i = 0; i < 3; ++i) detections[i].connection().set_source(results[i]);

    if (masks)
      mask_features.connection().set_source(
          onnx::add_roi_features(graph, "ROIFeatureExtractor_1", detection.out(0), pyramid, 14));
    graph.clean_up();
  }

 private:
  static Node& add_detection_output(Graph& graph, const ConfiguredNodes& named) {
    const int64_t classes = named.has("num_classes") ? named.whole("num_classes") : 81;
    if (classes < 1 || classes > 1 << 20) named.fail(msg("num_classes is ", classes));
    Node& node = graph.add_node("ExperimentalDetectronDetectionOutput", "DetectionOutput");
    node.attributes = {{"class_agnostic_box_regression", false},
                       {"deltas_weights", Doubles{10, 10, 5, 5}},
                       {"max_delta_log_wh", named.number("max_delta_log_wh")},
                       {"nms_threshold", named.number("nms_threshold")},
                       {"score_threshold", named.number("score_threshold")},
                       {"num_classes", classes},
                       {"max_detections_per_image", named.whole("max_detections_per_image")},
                       {"post_nms_count", named.whole("post_nms_count")}};
    node.add_in_ports(4);
    node.add_out_ports(3);
    return node;
  }

  static Node& add_image_info(Graph& graph) {
    Node& node = graph.add_node("Parameter", "im_info");
    node.add_out_ports(1);
    node.set("shape", PartialShape{1, 3});
    node.set("data_type", ElementType::F32);
    OutPort(node).tensor().add_name(node.name());
    return node;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(ONNXMaskRCNNTransformation)
}  // namespace mo

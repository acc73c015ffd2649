// Before: feature maps, detection_boxes -> CropAndResize -> Reshape -> mask network
// After:  feature maps, images and corners of detection_output -> ROIPooling -> mask network; detection_output as rows
//         [n, 7] is the output in its place
// Conditions: the configuration has an entry with that id, whose first start point is the CropAndResize; a
// pipeline.config is given. ObjectDetectionAPIDetectionOutputReplacement has run.

#include "core/front/tf/detection/detection.h"

namespace mo {
namespace {

using namespace tf;

class ObjectDetectionAPIMaskRCNNROIPoolingSecondReplacement final : public DetectionTransform {
 public:
  std::string_view replacement_id() const override { return "ObjectDetectionAPIMaskRCNNROIPoolingSecondReplacement"; }
  Names run_after() const override { return {"ObjectDetectionAPIProposalReplacement"}; }

  void replace(Graph& graph, const ReplacementDescription& description) override {
    const PipelineConfig& config = pipeline_config(graph, description);
    const PointsMatch match = match_between(graph, description);
    Node* detections = find_made(graph, "detection_output");
    if (!detections) fail_match(description, "ObjectDetectionAPIDetectionOutputReplacement has made no detections");
    const int64_t side = int_of(description, "initial_crop_size", config.initial_crop_size);
    Builder b(graph, "ROI_pooling_2");

    Node& rows = b.node("Reshape", {detections->out(0), b.i64({-1, 7})}, {{"special_zero", false}});
    rows.set_name(graph.unique_name("reshape_do_2d"));
    for (const InPort& reader : detections->out(0).destinations())
      if (reader.node().op() == "Result") reader.connect(rows.out(0));
    rows.out(0).tensor().add_name(rows.name());
    // [image, xmin, ymin, xmax, ymax]
    const OutPort boxes = b.gather(rows.out(0), b.i64({0, 3, 4, 5, 6}), 1);
    Node& pooled = b.node("ROIPooling", {match.input(0), boxes},
                          {{"pooled_h", side},
                           {"pooled_w", side},
                           {"spatial_scale", 1.0},
                           {"method", "bilinear"},
                           {"batch_dims", Ints{0}},
                           {"channel_dims", Ints{3}},
                           {"spatial_dims", Ints{1, 2}}});
    pooled.set_name(graph.unique_name("ROI_pooling_2"));
    match.end[0]->out(0).connection().set_source(pooled.out(0), TensorNames::Source);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(ObjectDetectionAPIMaskRCNNROIPoolingSecondReplacement)
}  // namespace mo

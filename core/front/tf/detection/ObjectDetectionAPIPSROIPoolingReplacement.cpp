// Before: a grid of predictions, proposals -> a loop of crops of groups of channels, and their means
// After:  a grid, images and corners of proposals -> PSROIPooling -> ReduceMean of height and width [N, P, 1, 1, C]
// Conditions: the configuration has an entry with that id, whose scopes are the loops of boxes and of classes; a
// pipeline.config is given. ObjectDetectionAPIProposalReplacement has run.

#include "core/front/tf/detection/detection.h"

namespace mo {
namespace {

using namespace tf;

class ObjectDetectionAPIPSROIPoolingReplacement final : public DetectionTransform {
 public:
  std::string_view replacement_id() const override { return "ObjectDetectionAPIPSROIPoolingReplacement"; }
  Names run_after() const override { return {"ObjectDetectionAPIProposalReplacement"}; }

  void replace(Graph& graph, const ReplacementDescription& description) override {
    const PipelineConfig& config = pipeline_config(graph, description);
    Node* proposals = find_made(graph, "crop_proposals");
    if (!proposals) fail_match(description, "ObjectDetectionAPIProposalReplacement has made no proposals");
    const int64_t rows = config.num_spatial_bins_height.required(), columns = config.num_spatial_bins_width.required();
    const int64_t crop = config.crop_width.required();
    if (crop != config.crop_height.required() || columns == 0 || crop % columns)
      throw Error(Code::BadFieldValue,
                  msg("crop_width is ", crop, ", crop_height ", config.crop_height.required(),
                      ", num_spatial_bins_width ", columns),
                  config.crop_width.place);
    const int64_t classes = int_of(description, "num_classes", config.num_classes);
    const int64_t count = int_of(description, "first_stage_max_proposals", config.first_stage_max_proposals);
    const std::vector<SubgraphMatch> matches = match_subgraphs(graph, description);
    if (matches.empty()) fail_match(description, "no node names of the model match its scopes");
    for (const SubgraphMatch& match : matches) {
      const std::vector<InPort>& readers = match.input_nodes(0);
      if (readers.empty() || !readers[0].source()) fail_match(description, "a scope has no input");
      const OutPort grid = readers[0].source();
      const bool of_classes = grid.node().name().find("class_predictions") != std::string::npos;
      const int64_t channels = of_classes ? classes + 1 : classes * 4;
      Builder b(graph, grid.node().name());
      const OutPort corners = b.reshape(swap_corners(b, proposals->out(0), 0), {-1, 4});
      // All proposals are of the first image.
      const OutPort image = b.op("Mul", {b.gather(corners, b.i64({0}), 1), b.f32_scalar(0)});
      const OutPort pooled = b.op("PSROIPooling", {grid, b.concat({image, corners}, 1)},
                                  {{"output_dim", channels},
                                   {"group_size", crop / columns},
                                   {"spatial_bins_x", columns},
                                   {"spatial_bins_y", rows},
                                   {"mode", "bilinear"},
                                   {"spatial_scale", 1.0},
                                   {"batch_dims", Ints{0}},
                                   {"channel_dims", Ints{3}},
                                   {"spatial_dims", Ints{1, 2}}});
      const OutPort mean = b.reduce("ReduceMean", pooled, {1, 2}, true);
      const OutPort of_images = b.reshape(mean, {-1, count, 1, 1, channels});
      match.output_node(0).connection().set_source(of_images, TensorNames::Source);
      remove_results(graph, match.nodes());
    }
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(ObjectDetectionAPIPSROIPoolingReplacement)
}  // namespace mo

// Before: locations, confidences and prior boxes, each an output of the model
// After:  Reshapes of the three -> DetectionOutput, an output in their place
// Conditions: the configuration has an entry SSDToolboxDetectionOutput, whose points are the nodes of the three.

#include "core/front/tf/detection/detection.h"

namespace mo {
namespace {

using namespace tf;

class SSDToolboxDetectionOutputReplacement final : public DetectionTransform {
 public:
  std::string_view replacement_id() const override { return "SSDToolboxDetectionOutput"; }

  void replace(Graph& graph, const ReplacementDescription& description) override {
    if (description.start_points.size() < 3)
      throw Error(Code::BadSubgraph, msg("the entry with id '", description.id, "' has fewer than three start points"));
    const PointsMatch match = match_between(graph, description);
    Builder b(graph, "DetectionOutput_");
    const OutPort boxes = b.reshape(match.start[0]->out(0), {0, -1}),
                  scores = b.reshape(match.start[1]->out(0), {0, -1});
    const OutPort priors = b.reshape(match.start[2]->out(0), {1, 2, -1});
    Node& made = detection_output(b, "DetectionOutput_", description, {boxes, scores, priors}, {});
    replace_results(graph, match.start, made);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(SSDToolboxDetectionOutputReplacement)
}  // namespace mo

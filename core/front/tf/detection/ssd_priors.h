// The prior boxes of an SSD as operations, so that they follow the size of the images.
#pragma once

#include "core/front/tf/detection/detection.h"

namespace mo::tf {

/// [1, 2, n * 4] for DetectionOutput: a PriorBoxClustered for each layer of the anchor generator. The Reshapes behind
/// the heads get sizes that follow, too. Empty if the pipeline.config has no generator with anchors in the middle of
/// their cells, or if the model lacks the heads that belong to it: then the model's own boxes are right.
OutPort ssd_priors(Builder& b, Graph& graph, const ReplacementDescription& description, const PipelineConfig& config);

}  // namespace mo::tf

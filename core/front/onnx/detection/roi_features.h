// Shared by the replacements for models like Mask R-CNN.
#pragma once

#include "core/graph/graph.h"

namespace mo::onnx {

/// Adds an ExperimentalDetectronROIFeatureExtractor of that name. It pools the regions `boxes` of the feature maps
/// `pyramid`, whose strides are 4, 8, 16, 32 and 64, to `size` x `size` elements.
Node& add_roi_features(Graph& graph, std::string_view name, OutPort boxes, const std::vector<OutPort>& pyramid,
                       int64_t size);

}  // namespace mo::onnx

// What the replacements in models of Mask R-CNN's kind share.
#pragma once

#include "core/graph/graph.h"

namespace mo::onnx {

/// A new ExperimentalDetectronROIFeatureExtractor of that name: the regions of `boxes` in the maps of a pyramid whose
/// steps are 4, 8, 16…, as squares of `size` elements.
Node& add_roi_features(Graph& graph, std::string_view name, OutPort boxes, const std::vector<OutPort>& pyramid,
                       int64_t size);

}  // namespace mo::onnx

// Pads before convolutions.
#pragma once

#include <functional>

#include "core/graph/graph.h"

namespace mo {

using PaddedConvolution = std::function<void(const Node& pad, const Ints& begin, const Ints& end, Node& convolution)>;

/// Calls `action` for each Convolution and GroupConvolution whose data is padded by a Pad with zeros, as the
/// convolution itself pads. The numbers of the Pad are known; they may be computed from a shape.
void for_each_padded_convolution(Graph& graph, const PaddedConvolution& action);

}  // namespace mo

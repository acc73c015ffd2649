// Pads before convolutions.
#pragma once

#include <functional>

#include "core/graph/graph.h"

namespace mo {

using PaddedConvolution = std::function<void(const Node& pad, const Ints& begin, const Ints& end, Node& convolution)>;

/// Calls `action` for each Convolution and GroupConvolution whose data is padded with zeros, as it pads itself, by
/// numbers that are known. They may be those of a shape.
void for_each_padded_convolution(Graph& graph, const PaddedConvolution& action);

}  // namespace mo

// Pads before convolutions.
#pragma once

#include "core/graph/graph.h"

namespace mo {

/// Whether a Pad adds zeros, as convolutions do.
bool pads_with_zeros(const Node& pad);

}  // namespace mo

// Which constants --compress_to_fp16 stores as f16.
#pragma once

#include <vector>

#include "core/graph/graph.h"

namespace mo {

/// The constants of the graph that OpenVINO's rules allow to become f16, whatever their values are: none of a quantised
/// graph or a model with small weights, and none that is `precise` or that a shape depends on.
std::vector<Node*> half_constants(Graph& graph);

}  // namespace mo

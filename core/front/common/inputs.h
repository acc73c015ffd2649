// Changes the inputs of nodes where their order is not that of the internal operation.
#pragma once

#include "core/graph/graph.h"

namespace mo {

/// The node reads these, and nothing else. An empty port leaves an input free.
void set_inputs(Node& node, const std::vector<OutPort>& sources);
/// Input i becomes what input `order[i]` was; inputs that are not named are gone. Throws MissingInput.
void reorder_inputs(Node& node, const std::vector<int>& order);

}  // namespace mo

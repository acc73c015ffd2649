#pragma once

#include <string>

#include "core/graph/graph.h"

namespace mo {

/// The nodes of a loaded graph at which options can cut it; see list_places().
std::string place_list(const Graph& graph);

}  // namespace mo

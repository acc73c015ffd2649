// An input or output of a model, as reports show it.
#pragma once

#include <nlohmann/json.hpp>

#include "core/graph/graph.h"

namespace mo {

/// {name, names, shape, type} of the Parameter or Result with that tensor.
nlohmann::ordered_json port_json(const Node& node, const Tensor& tensor);

}  // namespace mo

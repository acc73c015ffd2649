// An input or output of a model, as reports show it.
#pragma once

#include <nlohmann/json.hpp>

#include "core/graph/graph.h"

namespace mo {

/// {name, names, shape, type} of the Parameter or Result with that tensor. `again`: of a further one with a tensor that
/// had all its names before, and has only some of them now if they are long.
nlohmann::ordered_json port_json(const Node& node, const Tensor& tensor, bool again = false);
std::string text_of(const nlohmann::ordered_json& json);

}  // namespace mo

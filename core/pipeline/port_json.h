// Inputs and outputs of a model, and how pictures are prepared for it, as reports show them.
#pragma once

#include <nlohmann/json.hpp>

#include "core/front/model_head.h"
#include "core/graph/graph.h"

namespace mo {

/// {name, names, shape, type} of the Parameter or Result with that tensor. `again`: of a further one with a tensor that
/// had all its names before, and has only some of them now if they are long.
nlohmann::ordered_json port_json(const Node& node, const Tensor& tensor, bool again = false);
/// Adds {preparation: {file, model, mean_values, scale_values, colours, order, size, dictionary}}, all of them texts, if
/// the model has one.
void add_preparation(nlohmann::ordered_json& facts, const ModelHead& head);
std::string text_of(const nlohmann::ordered_json& json);

}  // namespace mo

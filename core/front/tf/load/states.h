// Variables that a model assigns: it keeps their values between two runs.
#pragma once

#include <string_view>

#include "core/graph/graph.h"

namespace mo::tf {

/// Whether the operation gives a variable or a table, its input 0, another value.
bool is_effect(std::string_view op);
/// The same for a node, extracted or not.
bool is_effect_node(const Node& node);

/// Before: Const {variable}, where freeze_variables() has put the value of the checkpoint, and operations that assign
///         it, ordered by control flow
/// After:  Const -> ReadValue, each reader reads the value of its time, and the last one goes to Assign. In front of an
///         If or a loop that assigns it the variable's value becomes an input, behind it an output.
/// After cutting: only assignments that the outputs still need are part of the model. Takes control flow away. What
/// cannot be kept goes to the diagnostics, with the name of the variable.
void keep_states(Graph& graph);

}  // namespace mo::tf

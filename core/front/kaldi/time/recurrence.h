// States while a model is being made: what was computed some frames earlier, without a cycle in the graph.
#pragma once

#include "core/build/builder.h"

namespace mo::kaldi {

/// The value `frames` > 0 frames earlier of what keep_state() gets for that pair: [1, dim], 0 before it can be
/// computed. `pair` is a name for the state, unique in the model: it becomes that of the variable.
OutPort earlier_state(Builder& b, const std::string& pair, int64_t frames, int64_t dim);
/// Once for each pair.
void keep_state(Builder& b, const std::string& pair, OutPort x);

/// Removes the states that no output needs, with what is computed for them alone: LoadedModel::prune().
void remove_unread_states(Graph& graph);

}  // namespace mo::kaldi

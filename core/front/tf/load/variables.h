// Variables become constants: places in a checkpoint.
#pragma once

#include "core/front/tf/load/checkpoint.h"
#include "core/graph/graph.h"

namespace mo::tf {

/// Whether the graph has variables.
bool has_variables(const Graph& graph);

/// Each variable that an output needs becomes a Const, with attributes for keep_states(). Its key is the one that the
/// nodes that restore the checkpoint assign to it; without such nodes it is the variable's shared name or name.
/// Variables without a value go to the diagnostics, each as NoVariable; without a checkpoint no variable has one. The
/// checkpoint is opened only if there is a variable. Its missing files go to the diagnostics, each as MissingDataFile,
/// as do errors of its index.
void freeze_variables(Graph& graph, Checkpoint* checkpoint, Diagnostics& diagnostics);

}  // namespace mo::tf

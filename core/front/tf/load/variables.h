// Variables become constants: places in a checkpoint.
#pragma once

#include "core/front/tf/load/checkpoint.h"
#include "core/graph/graph.h"

namespace mo::tf {

/// Each variable that an output needs becomes a Const. Its key is what the nodes that restore the checkpoint assign to
/// it; without them it is the variable's shared name or name. Variables without a value go to the diagnostics, each as
/// NoVariable. Without a checkpoint all are without. It is opened if there is a variable: files of it that are not
/// there go to the diagnostics, each as MissingDataFile, and what is wrong with its index.
void freeze_variables(Graph& graph, Checkpoint* checkpoint, Diagnostics& diagnostics);

}  // namespace mo::tf

// Branches that never run.
#pragma once

#include "core/graph/graph.h"

namespace mo::tf {

/// After cutting and freezing: branches of If and Case keep only the outputs that are read, and a branch that a
/// constant condition never takes keeps nothing. What is gone need not be supported.
void prune_branches(Graph& graph);

}  // namespace mo::tf

// Branches that never run, and variables of loops that nothing needs.
#pragma once

#include "core/graph/graph.h"

namespace mo::tf {

/// After cutting and freezing: branches of If and Case keep only the outputs that are read, and a branch that a
/// constant condition never takes keeps nothing. A While keeps the variables that its condition and its outputs that
/// are read need. What is gone need not be supported.
void prune_bodies(Graph& graph);

}  // namespace mo::tf

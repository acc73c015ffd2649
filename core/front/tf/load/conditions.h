// Conditions of TensorFlow 1: Switch and Merge.
#pragma once

#include "core/graph/graph.h"

namespace mo::tf {

/// Merges become Identities. They read the outputs of a Case whose branches are the nodes between Switch and Merge, or,
/// if the condition is a constant, the result of the branch that runs. Merges of one condition share a Case. Frames
/// have been joined before (frames.h). Throws TooDeep, CyclicGraph, MissingInput, UnsupportedForm.
void join_conditions(Graph& graph);

}  // namespace mo::tf

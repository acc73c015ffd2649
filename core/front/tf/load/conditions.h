// Conditions of TensorFlow 1: Switch and Merge.
#pragma once

#include "core/graph/graph.h"

namespace mo::tf {

/// Merges become Identities: of the outputs of a Case that has the nodes between Switch and Merge as branches, or, if
/// the condition is a constant, of what is left of them. Merges of one condition share a Case. Frames have been joined
/// before (frames.h). Throws TooDeep, CyclicGraph.
void join_conditions(Graph& graph);

}  // namespace mo::tf

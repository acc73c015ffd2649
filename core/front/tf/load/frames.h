// Loops of TensorFlow 1, which are cycles: frames of Enter, Merge, Switch, NextIteration and Exit.
#pragma once

#include <string_view>

#include "core/graph/graph.h"

namespace mo::tf {

/// Whether `op` is `name`, or its twin for references.
inline bool is_flow(std::string_view op, std::string_view name) {
  if (op.starts_with("Ref")) op.remove_prefix(3);
  return op == name;
}

/// Each frame becomes a While with bodies `cond` and `body`: first the variables of the loop, then the tensors that
/// enter it and stay the same. Throws CyclicGraph for a frame that is no loop, TooDeep.
void join_frames(Graph& graph);

}  // namespace mo::tf

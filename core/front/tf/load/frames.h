// Loops of TensorFlow 1, which are cycles: frames of Enter, Merge, Switch, NextIteration and Exit. TensorFlow 2 makes
// such frames of its functional loops when it freezes a function.
#pragma once

#include <string_view>

#include "core/graph/graph.h"

namespace mo::tf {

/// Whether `op` is `name`, or its twin for references.
inline bool is_flow(std::string_view op, std::string_view name) {
  if (op.starts_with("Ref")) op.remove_prefix(3);
  return op == name;
}

inline bool is_switch(const Node& node) { return is_flow(node.op(), "Switch") || node.op() == "_SwitchN"; }
inline bool is_merge(const Node& node) { return is_flow(node.op(), "Merge"); }

/// The number in a name such as "while/exit/_12", which TensorFlow gives to a node when it lowers a functional loop or
/// condition to control flow of TensorFlow 1: ascending in the order of the arguments. 0 for all other names.
int64_t number_of_lowered(const Node& node);

/// Each frame becomes a While with bodies `cond` and `body`: first the variables of the loop, then the tensors that
/// enter it and stay the same. Throws CyclicGraph for a frame that is no loop, TooDeep.
void join_frames(Graph& graph);

}  // namespace mo::tf

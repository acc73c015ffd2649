// Bodies: the graphs that If, Loop and TensorIterator hold in attributes (`then_graph`, `else_graph`, `body`).
//
// A body sees nothing outside. What its Parameters and Results stand for is told by their own attributes, so that it
// moves with them through every rewrite; the names are those of IR's port maps:
//   external_port_id    the owner's input that the Parameter reads, the owner's output that the Result makes
//   axis, start, end, stride, part_size
//                       Parameter: one slice of that input per iteration; Result: one slice of that output
//   internal_layer_id   a number of the Result's own among the body's, for back_edge
//   back_edge           Parameter: internal_layer_id of the Result whose value it takes in the next iteration
//   purpose             "current_iteration" of a Parameter, "execution_condition" of a Result
#pragma once

#include <memory>
#include <vector>

#include "core/graph/graph.h"

namespace mo {

/// The graphs in the node's attributes, in their order.
std::vector<Graph*> bodies_of(const Node& node);
/// A body like `body`, for `owner`.
std::shared_ptr<Graph> copy_body(const Graph& body, Node& owner);

/// What the Parameter takes from outside in every iteration alike: the owner's input; empty for any other.
OutPort invariant_source(const Node& parameter);
/// The Result behind the Parameter's back edge; null when it has none. Throws InvalidGraph when there is no such
/// Result.
Node* back_edge_of(const Node& parameter);

/// The branch's Result for that output of the owner; null when it has none.
Node* result_for(const Graph& branch, int output);

/// Removes Parameters that nothing in the body reads, and inputs of the owner that no Parameter reads any more.
void drop_unused_inputs(Node& owner);

}  // namespace mo

// Bodies: the graphs that If, Loop and TensorIterator hold in attributes (`then_graph`, `else_graph`, `body`).
//
// A body sees nothing outside. Attributes of its Parameters and Results say how they connect to the owner, so this
// information survives every rewrite. The names are those of IR's port maps:
//   external_port_id    Parameter: the owner's input that it reads; Result: the owner's output that it gives
//   axis, start, end, stride, part_size
//                       Parameter: one slice of that input per iteration; Result: one slice of that output
//   internal_layer_id   Result: a number unique among the body's Results, for back_edge
//   back_edge           Parameter: internal_layer_id of the Result whose value it takes in the next iteration
//   purpose             Parameter: "current_iteration"; Result: "execution_condition"
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/graph/graph.h"

namespace mo {

/// The graphs in the node's attributes, in the order of the attributes.
std::vector<Graph*> bodies_of(const Node& node);
/// Where the body is: "loop/body/condition/then_body", from the names of its owners; empty for the model itself.
std::string body_path(const Graph& graph);
/// A copy of `body` for `owner`.
std::shared_ptr<Graph> copy_body(const Graph& body, Node& owner);

/// The owner's input if the Parameter has the same value in every iteration; otherwise empty.
OutPort invariant_source(const Node& parameter);
/// The Result at the Parameter's back edge; null when it has no back edge. Throws InvalidGraph when there is no such
/// Result.
Node* back_edge_of(const Node& parameter);

/// The attributes of an If that hold its branches.
inline constexpr const char* kBranches[] = {"then_graph", "else_graph"};

/// The branch's Result for that output of the owner; null when it has none.
Node* result_for(const Graph& branch, int output);

/// The tensor without the Identities that pass it on, which may form a cycle.
OutPort behind_identities(OutPort port);
/// The only number of a Const behind Identities; nullopt for anything else.
std::optional<int64_t> constant_number(OutPort port);

/// Removes Parameters that nothing in the body reads, and inputs of the owner that no Parameter reads.
void drop_unused_inputs(Node& owner);

}  // namespace mo

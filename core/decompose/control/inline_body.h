// Replaces the owner of a body by the body's nodes.
#pragma once

#include <map>

#include "core/build/builder.h"

namespace mo {

/// Copies the nodes of `body` into `graph`, producers first, and adds them to `made`. `sources` has what takes the
/// place of each of the body's Parameters. Returns what the body's Results read.
std::vector<OutPort> copy_nodes(Graph& graph, const Graph& body, const std::map<const Node*, OutPort>& sources,
                                const std::string& prefix, std::vector<Node*>& made);

/// Copies the nodes of the body in `attribute` of `owner` into the owner's graph, infers them, and returns the body's
/// results. `inputs` are the body's formal inputs; captured values come from the owner's inputs (`external_port_id`).
/// Throws ShapeMismatch when the number of inputs differs.
std::vector<OutPort> inline_body(Builder& b, Node& owner, const std::string& attribute,
                                 const std::vector<OutPort>& inputs);

/// The same for a branch of an If: what takes the place of each output of the If, empty where the branch gives none.
std::vector<OutPort> inline_branch(Builder& b, Node& owner, const std::string& attribute);

}  // namespace mo

// A body put in the place of the node that owns it.
#pragma once

#include "core/build/builder.h"

namespace mo {

/// Copies the nodes of the body in `attribute` of `owner` into the owner's graph, infers them, and gives what the
/// body's results are. `inputs` are the body's formal inputs; what it captures comes from the owner
/// (`external_port_id`). Throws ShapeMismatch when there are not as many inputs.
std::vector<OutPort> inline_body(Builder& b, Node& owner, const std::string& attribute,
                                 const std::vector<OutPort>& inputs);

/// The same for a branch of an If: what takes the place of each of its outputs, empty where it has none.
std::vector<OutPort> inline_branch(Builder& b, Node& owner, const std::string& attribute);

}  // namespace mo

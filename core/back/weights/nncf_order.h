// The order in which NNCF visits the nodes of an IR.
#pragma once

#include <vector>

#include "core/graph/graph.h"

namespace mo {

struct NncfOrder {
  std::vector<Node*> nodes;
  std::vector<bool> computed;  ///< by id: whether the node depends on an input or a state of the model
};

/// NNCF numbers what depends on inputs and states breadth first, the readers of a tensor by name; then the rest, in
/// OpenVINO's order; and sorts all topologically, lower numbers first. Which product is the last depends on that
/// (docs/weights.md).
NncfOrder nncf_order(const Graph& graph);

}  // namespace mo

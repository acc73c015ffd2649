// Finds the sub-graphs that an entry of the transformations configuration selects.
#pragma once

#include "core/front/config/subgraph_match.h"

namespace mo {

// Parameters and Results are never part of a sub-graph: a tensor from a Parameter enters it, and a tensor to a Result
// leaves it.

/// One match for each pattern of `scopes` that matches the beginning of some node's name; without ports.
std::vector<SubgraphMatch> match_scopes(Graph& graph, const ReplacementDescription& description);

/// The node of that name; null if there is none. Model Optimizer reads the graph of a SavedModel's signature alone.
/// Here another graph may call it, and the names of its nodes begin with the name of the call; `name` may lack that
/// beginning.
Node* find_named(const Graph& graph, const std::string& name);

/// The nodes between the points, without ports; none if a point is not in the graph. Throws EndNotReached,
/// ParameterInSubgraph.
std::vector<SubgraphMatch> match_points(Graph& graph, const ReplacementDescription& description);
/// Adds the ports that an entry of kind points does not list: input 0 of each start point and output 0 of each end
/// point. If the points themselves are excluded, the ports at the other end of their edges. Throws StartPointInputs.
void find_ports_of_points(Graph& graph, SubgraphMatch& match);

/// All matches with their ports, in the order of `instances`. Throws ConfigNotUpdated, WrongMatchKind, and what the
/// functions above and SubgraphMatch::find_ports() throw.
std::vector<SubgraphMatch> match_subgraphs(Graph& graph, const ReplacementDescription& description);

}  // namespace mo

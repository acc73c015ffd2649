// Finds the sub-graphs that an entry of the transformations configuration means.
#pragma once

#include "core/front/config/subgraph_match.h"

namespace mo {

// Parameters and Results are never part of a sub-graph: a tensor that comes from the one or goes to the other enters
// or leaves it.

/// One match for each pattern of `scopes` that some node's name starts with, without ports.
std::vector<SubgraphMatch> match_scopes(Graph& graph, const ReplacementDescription& description);

/// The nodes between the points, without ports; none when a point is not in the graph. Throws EndNotReached,
/// ParameterInSubgraph.
std::vector<SubgraphMatch> match_points(Graph& graph, const ReplacementDescription& description);
/// Adds the ports that the entry of a match of points does not list: each start point's input 0, each end point's
/// output 0. Where the points themselves are left out, the ports on the other side of their edges. Throws
/// StartPointInputs.
void find_ports_of_points(Graph& graph, SubgraphMatch& match);

/// All matches with their ports, in the order of `instances`. Throws ConfigNotUpdated, WrongMatchKind, and what the
/// above and SubgraphMatch::find_ports() throw.
std::vector<SubgraphMatch> match_subgraphs(Graph& graph, const ReplacementDescription& description);

}  // namespace mo

#include "core/front/config/subgraph_matcher.h"

#include <algorithm>

#include "core/base/name_pattern.h"

namespace mo {
namespace {

/// Whether each pattern of `inputs` matches some node of the sub-graph: scopes with similar names may lack some nodes.
bool has_all_input_nodes(const SubgraphMatch& match) {
  for (const std::vector<PortPattern>& tensor : *match.description().inputs) {
    for (const PortPattern& port : tensor) {
      const NamePattern anywhere(".*" + port.node);
      const auto fits = [&](const Node* node) { return anywhere.matches(node->name()); };
      if (std::none_of(match.nodes().begin(), match.nodes().end(), fits)) return false;
    }
  }
  return true;
}

}  // namespace

std::vector<SubgraphMatch> match_scopes(Graph& graph, const ReplacementDescription& description) {
  std::vector<SubgraphMatch> matches;
  for (const std::string& scope : description.scopes) {
    const NamePattern pattern(scope);
    std::vector<Node*> nodes;
    for (Node* node : graph.nodes()) {
      graph.model().beat();
      if (node->op() != "Parameter" && node->op() != "Result" && pattern.matches(node->name())) nodes.push_back(node);
    }
    if (!nodes.empty()) matches.emplace_back(description, scope, std::move(nodes));
  }
  return matches;
}

std::vector<SubgraphMatch> match_subgraphs(Graph& graph, const ReplacementDescription& description) {
  if (description.kind == MatchKind::General)
    throw Error(Code::WrongMatchKind, msg("'general' in the entry with id '", description.id, "'"));
  if (description.kind == MatchKind::Scope && !(description.inputs && description.outputs))
    throw Error(Code::ConfigNotUpdated, msg("the entry with id '", description.id, "'"));
  std::vector<SubgraphMatch> matches;
  if (description.kind == MatchKind::Points) {
    matches = match_points(graph, description);
    for (SubgraphMatch& match : matches) {
      match.find_ports();
      find_ports_of_points(graph, match);
    }
    return matches;
  }
  for (SubgraphMatch& match : match_scopes(graph, description)) {
    if (!has_all_input_nodes(match)) continue;
    match.find_ports();
    matches.push_back(std::move(match));
  }
  return matches;
}

}  // namespace mo

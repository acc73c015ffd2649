#include <algorithm>
#include <map>

#include "core/base/name_pattern.h"
#include "core/front/config/subgraph_matcher.h"

namespace mo {
namespace {

/// The pattern with which SubgraphMatch::node_by_pattern() finds the node: the rest of its name after the scope, or
/// `^name$` without a scope.
std::string pattern_of(const Node& node, const SubgraphMatch& match) {
  const std::string& scope = match.scope();
  if (scope.empty()) return "^" + NamePattern::escape(node.name()) + "$";
  const std::string_view name = node.name();
  // If the scope's pattern can match several prefixes, the shortest leaves the longest and most precise rest.
  for (const size_t length : NamePattern(scope).match_lengths(name)) {
    std::string_view rest = name.substr(length);
    if (scope.back() != '/') {
      if (rest.empty() || rest[0] != '/') continue;
      rest.remove_prefix(1);
    }
    if (rest.empty()) continue;
    std::string pattern = NamePattern::escape(rest) + "$";
    if (match.node_by_pattern(pattern) == &node) return pattern;
  }
  throw Error(Code::BadSubgraph, msg("'", name, "' does not lie below scope ", scope), node.place());
}

SubgraphPorts ports_of(const SubgraphMatch& match) {
  std::map<std::pair<int, int>, std::vector<PortPattern>> by_source;  // by the source node's id and the port index
  SubgraphPorts ports;
  for (Node* node : match.nodes()) {
    std::string pattern;  // computed only for nodes at the border
    const auto port = [&](int index) {
      if (pattern.empty()) pattern = pattern_of(*node, match);
      return PortPattern{pattern, index};
    };
    for (int i = 0; i < node->in_count(); ++i) {
      const OutPort source = node->source(i);
      if (source && !match.contains(source.node())) by_source[{source.node().id(), source.index()}].push_back(port(i));
    }
    bool consumed = false;
    for (int i = 0; i < node->out_count(); ++i) {
      const std::vector<InPort> consumers = node->out(i).destinations();
      const auto outside = [&](const InPort& consumer) { return !match.contains(consumer.node()); };
      if (std::any_of(consumers.begin(), consumers.end(), outside)) ports.outputs.push_back(port(i));
      consumed |= !consumers.empty();
    }
    if (!consumed && node->out_count() > 0) ports.outputs.push_back(port(0));
  }
  // Ordered by names inside the sub-graph, since nodes outside may have another order for the next instance.
  for (auto& entry : by_source) {
    std::sort(entry.second.begin(), entry.second.end());
    ports.inputs.push_back(std::move(entry.second));
  }
  std::sort(ports.inputs.begin(), ports.inputs.end());
  std::sort(ports.outputs.begin(), ports.outputs.end());
  return ports;
}

SubgraphPorts ports_of_all(Graph& graph, const ReplacementDescription& description) {
  const bool points = description.kind == MatchKind::Points;
  const std::vector<SubgraphMatch> matches =
      points ? match_points(graph, description) : match_scopes(graph, description);
  if (matches.empty() || (!points && matches.size() < description.scopes.size())) {
    std::string missing;
    for (const std::string& scope : description.scopes) {
      const auto same = [&](const SubgraphMatch& match) { return match.scope() == scope; };
      if (std::none_of(matches.begin(), matches.end(), same)) missing += cat(" ", scope);
    }
    const Detail entry = msg("the entry with id '", description.id, "'");
    throw Error(Code::NothingMatched, missing.empty() ? entry : msg(entry, ":", missing));
  }
  SubgraphPorts first = ports_of(matches[0]);
  for (const SubgraphMatch& match : matches) {
    const SubgraphPorts ports = ports_of(match);
    if (ports.inputs != first.inputs || ports.outputs != first.outputs)
      throw Error(Code::BadSubgraph, msg("instances ", matches[0].scope(), " and ", match.scope(),
                                         " of the entry with id '", description.id, "' differ in theirs"));
  }
  return first;
}

}  // namespace

std::string updated_config(Graph& graph, const TransformationsConfig& config) {
  std::vector<std::optional<SubgraphPorts>> ports(config.descriptions.size());
  for (size_t i = 0; i < ports.size(); ++i)
    if (config.descriptions[i].kind != MatchKind::General) ports[i] = ports_of_all(graph, config.descriptions[i]);
  return config_with_ports(config.json_text, ports);
}

}  // namespace mo

#include "core/front/config/FrontReplacementFromConfigFileSubGraph.h"

#include <algorithm>

#include "core/front/config/subgraph_matcher.h"

namespace mo {
namespace {

/// The tensor that enters the match at that input.
OutPort source_of_input(const SubgraphMatch& match, int port) {
  const std::vector<InPort>& consumers = match.input_nodes(port);
  const auto fail = [&](const Detail& what) {
    throw Error(Code::BadSubgraph,
                msg("input ", port, " of that of the entry with id '", match.description().id, "' ", what),
                consumers.empty() ? Place() : consumers[0].node().place());
  };
  if (consumers.empty()) fail("has no nodes");
  for (const InPort& consumer : consumers)
    if (!(consumer.source() == consumers[0].source())) fail("has nodes with different sources");
  return consumers[0].source();
}

/// Whether edges connect all nodes, in either direction.
bool is_connected(const SubgraphMatch& match) {
  std::vector<Node*> open = {match.nodes().front()};
  std::vector<bool> seen(static_cast<size_t>(match.nodes().back()->id()) + 1);
  seen[static_cast<size_t>(open[0]->id())] = true;
  size_t reached = 0;
  const auto visit = [&](Node& node) {
    if (!match.contains(node) || seen[static_cast<size_t>(node.id())]) return;
    seen[static_cast<size_t>(node.id())] = true;
    open.push_back(&node);
  };
  for (; !open.empty(); ++reached) {
    Node& node = *open.back();
    open.pop_back();
    for (int i = 0; i < node.in_count(); ++i)
      if (node.has_in(i)) visit(node.source(i).node());
    for (int i = 0; i < node.out_count(); ++i)
      for (const InPort& port : node.out(i).destinations()) visit(port.node());
  }
  return reached == match.nodes().size();
}

using ConfigSubGraph = FrontReplacementFromConfigFileSubGraph;

}  // namespace

ConfigSubGraph::Replacement ConfigSubGraph::generate_sub_graph(Graph&, const SubgraphMatch&) { return {}; }

ConfigSubGraph::InputEdges ConfigSubGraph::input_edges_match(Graph&, const SubgraphMatch& match,
                                                             const Replacement& replacement) {
  InputEdges edges;
  if (replacement.size() != 1) return edges;
  Node& node = *replacement.begin()->second;
  node.add_in_ports(match.inputs_count());
  for (int i = 0; i < match.inputs_count(); ++i) {
    if (node.has_in(i)) continue;
    source_of_input(match, i);
    edges.emplace_back(match.input_nodes(i)[0], node.in(i));
  }
  return edges;
}

ConfigSubGraph::OutputEdges ConfigSubGraph::output_edges_match(Graph&, const SubgraphMatch& match,
                                                               const Replacement& replacement) {
  OutputEdges edges;
  if (replacement.size() != 1) return edges;
  Node& node = *replacement.begin()->second;
  node.add_out_ports(match.outputs_count());
  for (int i = 0; i < match.outputs_count(); ++i) edges.emplace_back(match.output_node(i), node.out(i));
  return edges;
}

std::vector<Node*> ConfigSubGraph::nodes_to_remove(Graph&, const SubgraphMatch& match) {
  std::vector<Node*> needed;
  std::vector<bool> is_needed(static_cast<size_t>(match.nodes().back()->id()) + 1);
  const auto need = [&](Node& node) {
    if (!match.contains(node) || is_needed[static_cast<size_t>(node.id())]) return;
    is_needed[static_cast<size_t>(node.id())] = true;
    needed.push_back(&node);
  };
  for (Node* node : match.nodes()) {
    if (node->removed()) continue;
    for (int i = 0; i < node->out_count(); ++i)
      for (const InPort& port : node->out(i).destinations())
        if (!match.contains(port.node())) need(*node);
  }
  while (!needed.empty()) {
    Node& node = *needed.back();
    needed.pop_back();
    for (int i = 0; i < node.in_count(); ++i)
      if (node.has_in(i)) need(node.source(i).node());
  }
  std::vector<Node*> out;
  for (Node* node : match.nodes())
    if (!is_needed[static_cast<size_t>(node->id())]) out.push_back(node);
  return out;
}

void ConfigSubGraph::replace_sub_graph(Graph& graph, const SubgraphMatch& match) {
  const Replacement replacement = generate_sub_graph(graph, match);
  const InputEdges inputs = input_edges_match(graph, match, replacement);
  const OutputEdges outputs = output_edges_match(graph, match, replacement);
  for (const auto& [old, fresh] : inputs)
    if (const OutPort source = old.source()) fresh.connect(source);
  for (const auto& [old, fresh] : outputs) {
    // Consumers in the match are removed with it. Nodes of the replacement would form a cycle.
    std::vector<InPort> consumers;
    for (const InPort& port : old.destinations()) {
      bool inside = match.contains(port.node());
      for (const auto& entry : replacement) inside |= entry.second == &port.node();
      if (!inside) consumers.push_back(port);
    }
    Connection(old, std::move(consumers)).set_source(fresh);
  }
  for (Node* node : nodes_to_remove(graph, match))
    if (!node->removed()) graph.remove(*node);
}

void ConfigSubGraph::replace_matches(Graph& graph, const ReplacementDescription& description) {
  Diagnostics& diagnostics = graph.model().diagnostics;
  const std::vector<SubgraphMatch> matches = match_subgraphs(graph, description);
  if (matches.empty())
    diagnostics.warn(Code::NothingMatched,
                     msg("Failed to match nodes from custom replacement description with id '", description.id,
                         "': no node names of the model match its ", name_of(description.kind)));
  for (const SubgraphMatch& match : matches) {
    const auto removed = [](const Node* node) { return node->removed(); };
    if (std::any_of(match.nodes().begin(), match.nodes().end(), removed)) {
      diagnostics.warn(Code::NothingMatched, msg("a sub-graph of the entry with id '", description.id,
                                                 "' is left alone: another transformation has removed nodes of it"));
      continue;
    }
    const Detail entry = msg("the entry with id '", description.id, "'");
    if (!is_connected(match))
      diagnostics.warn(Code::SubgraphInPieces,
                       match.scope().empty() ? entry : msg(entry, ", instance ", match.scope()));
    replace_sub_graph(graph, match);
  }
}

void ConfigSubGraph::find_and_replace_pattern(Graph& graph) {
  const TransformationsConfig* config = transformations_config(graph.model());
  if (!config) return;
  if (const ReplacementDescription* description = config->take(replacement_id())) replace_matches(graph, *description);
}

}  // namespace mo

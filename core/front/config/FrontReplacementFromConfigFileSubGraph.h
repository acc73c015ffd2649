// Base class of transformations that replace sub-graphs selected by the transformations configuration.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/front/config/subgraph_match.h"
#include "core/rewrite/transform.h"

namespace mo {

/// Runs once for each match, if the configuration has an entry with its id of kind scope or points. A subclass
/// overrides replace_sub_graph() and does everything itself, or generate_sub_graph(), whose new nodes are then
/// connected.
class FrontReplacementFromConfigFileSubGraph : public Transform {
 public:
  /// New nodes, by names for use in the other functions.
  using Replacement = std::map<std::string, Node*>;
  /// An input port of the match, and the port of a new node that gets its source.
  using InputEdges = std::vector<std::pair<InPort, InPort>>;
  /// An output port of the match, and the port of a new node that feeds its consumers outside the match.
  using OutputEdges = std::vector<std::pair<OutPort, OutPort>>;

  std::string_view replacement_id() const override = 0;
  /// Names in the configuration refer to the main graph.
  bool run_not_recursively() const override { return true; }

  /// Creates the new nodes; none by default.
  virtual Replacement generate_sub_graph(Graph& graph, const SubgraphMatch& match);
  /// By default, a single new node reads the tensors that enter the match, in the order of `inputs`, except at inputs
  /// that are connected already. Its outputs replace those of the match, in the order of `outputs`. Missing ports are
  /// added. Several new nodes get no edges. Throws BadSubgraph if an input has no nodes, or nodes with different
  /// sources.
  virtual InputEdges input_edges_match(Graph& graph, const SubgraphMatch& match, const Replacement& replacement);
  virtual OutputEdges output_edges_match(Graph& graph, const SubgraphMatch& match, const Replacement& replacement);
  /// Called after the edges have moved. Default: all nodes of the match that nothing outside still needs.
  virtual std::vector<Node*> nodes_to_remove(Graph& graph, const SubgraphMatch& match);
  /// Calls the four functions above and moves the edges.
  virtual void replace_sub_graph(Graph& graph, const SubgraphMatch& match);

  /// Throws what match_subgraphs() and the functions above throw. Warnings: NothingMatched, SubgraphInPieces.
  void find_and_replace_pattern(Graph& graph) override;

 protected:
  void replace_matches(Graph& graph, const ReplacementDescription& description);
};

}  // namespace mo

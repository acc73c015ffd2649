// Base class of transformations that replace sub-graphs which the transformations configuration selects.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/front/config/subgraph_match.h"
#include "core/rewrite/transform.h"

namespace mo {

/// Runs only when the configuration has an entry of its id, of kind scope or points, and then once for each match. A
/// subclass overrides replace_sub_graph() and does everything itself, or generate_sub_graph() and lets its result be
/// wired.
class FrontReplacementFromConfigFileSubGraph : public Transform {
 public:
  /// New nodes by a name that the other functions know them by.
  using Replacement = std::map<std::string, Node*>;
  /// An input port of the match, and the port of a new node that gets its source.
  using InputEdges = std::vector<std::pair<InPort, InPort>>;
  /// An output port of the match, and the port of a new node that feeds its consumers outside of the match.
  using OutputEdges = std::vector<std::pair<OutPort, OutPort>>;

  virtual std::string_view replacement_id() const = 0;
  /// Names in the configuration are those of the main graph.
  bool run_not_recursively() const override { return true; }

  /// Makes the new nodes; makes none by default.
  virtual Replacement generate_sub_graph(Graph& graph, const SubgraphMatch& match);
  /// A single new node gets the tensors that enter the match in the order of `inputs`, except where an input is
  /// connected already, and gives those that leave it in the order of `outputs`; its ports are added. Several nodes get
  /// nothing. Throws BadSubgraph where an input has no nodes, or nodes with different sources.
  virtual InputEdges input_edges_match(Graph& graph, const SubgraphMatch& match, const Replacement& replacement);
  virtual OutputEdges output_edges_match(Graph& graph, const SubgraphMatch& match, const Replacement& replacement);
  /// Asked when the edges have moved: all nodes of the match but those that something outside still needs.
  virtual std::vector<Node*> nodes_to_remove(Graph& graph, const SubgraphMatch& match);
  /// Calls the four functions above and moves the edges.
  virtual void replace_sub_graph(Graph& graph, const SubgraphMatch& match);

  /// Throws what match_subgraphs() and the functions above throw; warns NothingMatched, SubgraphInPieces.
  void find_and_replace_pattern(Graph& graph) override;

 protected:
  void replace_matches(Graph& graph, const ReplacementDescription& description);
};

}  // namespace mo

// Base classes of rewrites in the front phase, where edges join operations and no shape is known. A generic rewrite
// derives from any of them and overrides only find_and_replace_pattern().
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/graph/pattern.h"
#include "core/rewrite/transform.h"

namespace mo {

/// Finds all matches of pattern() and then calls replace_pattern() for each. A match with a node that has been removed
/// meanwhile is skipped with a warning.
class FrontReplacementPattern : public Transform {
 public:
  Names run_after() const override { return {"FrontStart"}; }
  Names run_before() const override { return {"FrontFinish"}; }

  /// The defaults of both throw BadPattern: they are called only if a class overrides too little.
  virtual Pattern pattern();
  /// Edits the graph around the match, or leaves it unchanged.
  virtual void replace_pattern(Graph& graph, const Match& match);
  void find_and_replace_pattern(Graph& graph) override;
};

/// Replaces each match of pattern() by a sub-graph. A class overrides either replace_sub_graph() alone, or
/// generate_sub_graph() and the functions that say how the new nodes are connected.
class FrontReplacementSubgraph : public Transform {
 public:
  /// New nodes with names for use in the functions below.
  using Replacement = std::vector<std::pair<std::string, Node*>>;
  using InputEdges = std::vector<std::pair<InPort, InPort>>;
  using OutputEdges = std::vector<std::pair<OutPort, OutPort>>;

  Names run_after() const override { return {"FrontStart"}; }
  Names run_before() const override { return {"FrontFinish"}; }

  virtual Pattern pattern();
  virtual void replace_sub_graph(Graph& graph, const Match& match);
  /// Makes the new nodes and the edges among them.
  virtual Replacement generate_sub_graph(Graph& graph, const Match& match);
  /// Pairs of inputs of matched nodes and of new ones: the new input gets the source of the old one. One old input may
  /// be paired with several new ones. If the old one is not connected, neither is the new one.
  virtual InputEdges input_edges_match(Graph& graph, const Match& match, const Replacement& replacement);
  /// Pairs of outputs of matched nodes and of new ones: all consumers and the tensor names move to the new output.
  virtual OutputEdges output_edges_match(Graph& graph, const Match& match, const Replacement& replacement);
  /// Operations to remove at the end: all matched ones unless overridden.
  virtual std::vector<Node*> nodes_to_remove(Graph& graph, const Match& match);
  void find_and_replace_pattern(Graph& graph) override;
};

/// Replaces every operation of one kind.
class FrontReplacementOp : public FrontReplacementSubgraph {
 public:
  /// The name of the operation after extraction. The default throws BadPattern.
  virtual std::string op() const;
  /// Returns for each output of `node` the port that takes over its consumers and tensor names. A port may be empty, or
  /// the list too short, only where an output has no consumers. The node is removed afterwards. Throws NotReplaced when
  /// a consumer would lose its source, NoSuchPort for an output that does not exist.
  virtual std::vector<OutPort> replace_op(Graph& graph, Node& node);

  /// One vertex, "op".
  Pattern pattern() final;
  /// An alternative to replace_op(): an override does all the rewiring and the removal itself.
  void replace_sub_graph(Graph& graph, const Match& match) override;
};

}  // namespace mo

// Base classes of rewrites in the front phase, where edges join operations and no shape is known. A generic rewrite
// derives from any of them and overrides find_and_replace_pattern() alone.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/graph/pattern.h"
#include "core/rewrite/transform.h"

namespace mo {

/// Calls replace_pattern() for each match of pattern(), all of which are found beforehand. A match of which a node has
/// been removed since is skipped with a warning.
class FrontReplacementPattern : public Transform {
 public:
  Names run_after() const override { return {"FrontStart"}; }
  Names run_before() const override { return {"FrontFinish"}; }

  /// The default of both throws BadPattern: it is called only when a class overrides too little.
  virtual Pattern pattern();
  /// Edits the graph around the match, or leaves it as it is.
  virtual void replace_pattern(Graph& graph, const Match& match);
  void find_and_replace_pattern(Graph& graph) override;
};

/// Replaces each match of pattern() by a sub-graph. A class overrides either replace_sub_graph(), which is then all
/// that happens, or generate_sub_graph() and the tables that say how what it made is connected.
class FrontReplacementSubgraph : public Transform {
 public:
  /// New nodes by the names under which the tables know them.
  using Replacement = std::vector<std::pair<std::string, Node*>>;
  using InputEdges = std::vector<std::pair<InPort, InPort>>;
  using OutputEdges = std::vector<std::pair<OutPort, OutPort>>;

  Names run_after() const override { return {"FrontStart"}; }
  Names run_before() const override { return {"FrontFinish"}; }

  virtual Pattern pattern();
  virtual void replace_sub_graph(Graph& graph, const Match& match);
  /// Makes the new nodes and the edges among them.
  virtual Replacement generate_sub_graph(Graph& graph, const Match& match);
  /// Inputs of matched nodes and of new ones: the new input gets the source of the old one; one old input may serve
  /// several new ones, and one that is free leaves the new one free.
  virtual InputEdges input_edges_match(Graph& graph, const Match& match, const Replacement& replacement);
  /// Outputs of matched nodes and of new ones: all consumers and the tensor names move to the new output.
  virtual OutputEdges output_edges_match(Graph& graph, const Match& match, const Replacement& replacement);
  /// Operations removed in the end: all that were matched, unless overridden.
  virtual std::vector<Node*> nodes_to_remove(Graph& graph, const Match& match);
  void find_and_replace_pattern(Graph& graph) override;
};

/// Replaces every operation of one kind.
class FrontReplacementOp : public FrontReplacementSubgraph {
 public:
  /// The operation, as it is called after extraction; the default throws BadPattern.
  virtual std::string op() const;
  /// For each output of `node`, what its consumers (with the tensor names) get instead; an empty port, or none in the
  /// list, only where the output has no consumers any more. The node is removed afterwards. Throws NotReplaced when a
  /// consumer would be left without a source, NoSuchPort for an output that does not exist.
  virtual std::vector<OutPort> replace_op(Graph& graph, Node& node);

  /// One vertex, "op".
  Pattern pattern() final;
  /// Instead of replace_op(): what overrides it does all the rewiring itself, and the removal.
  void replace_sub_graph(Graph& graph, const Match& match) override;
};

}  // namespace mo

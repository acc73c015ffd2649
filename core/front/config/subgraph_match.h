// A sub-graph that an entry of the transformations configuration has selected.
#pragma once

#include "core/front/config/transformations_config.h"

namespace mo {

/// The nodes of the sub-graph, and the ports through which tensors enter and leave it, numbered like `inputs` and
/// `outputs` of the entry. The description has to outlive it.
class SubgraphMatch {
 public:
  /// `nodes` in order of creation. `scope` is the pattern that selected them; empty for points.
  SubgraphMatch(const ReplacementDescription& description, std::string scope, std::vector<Node*> nodes);

  const ReplacementDescription& description() const { return *description_; }
  const CustomAttributes& custom_attributes() const { return description_->custom_attributes; }
  const std::string& scope() const { return scope_; }
  const std::vector<Node*>& nodes() const { return nodes_; }
  bool contains(const Node& node) const;

  int inputs_count() const { return static_cast<int>(inputs_.size()); }
  int outputs_count() const { return static_cast<int>(outputs_.size()); }
  /// The ports that consume input tensor `port`. These functions throw NoSuchPort unless 0 <= port < inputs_count().
  const std::vector<InPort>& input_nodes(int port) const;
  /// The only port that consumes it. Throws SeveralInputNodes if there is not exactly one.
  InPort single_input_node(int port) const;
  /// The port that gives output tensor `port`. Throws NoSuchPort unless 0 <= port < outputs_count(), BadSubgraph if the
  /// pattern has matched no node.
  OutPort output_node(int port) const;
  /// The node whose name, after the scope if there is one, matches; null if there is none. Throws SeveralNodesMatch,
  /// BadNamePattern.
  Node* node_by_pattern(std::string_view pattern) const;

  /// Sets the ports from `inputs` and `outputs` of the description, if present. A pattern without a node leaves its
  /// place empty. Throws NoSuchPort, SeveralNodesMatch, DuplicateSubgraphOutput.
  void find_ports();
  void add_input(std::vector<InPort> ports) { inputs_.push_back(std::move(ports)); }
  /// Throws DuplicateSubgraphOutput.
  void add_output(OutPort port);

 private:
  const ReplacementDescription* description_;
  std::string scope_;
  std::vector<Node*> nodes_;
  std::vector<std::vector<InPort>> inputs_;
  std::vector<OutPort> outputs_;
};

}  // namespace mo

// Copies of parts of a graph in a body.
#pragma once

#include <map>
#include <utility>

#include "core/graph/graph.h"

namespace mo::tf {

/// The nodes behind the control inputs, perhaps through NoOps, that say to which branch the node belongs: Identities of
/// the outputs of Switches. A Switch itself belongs to no branch.
std::vector<Node*> pivots_of(const Node& node);

class SubgraphCopy {
 public:
  /// `region`: nodes by id. Switches of the region that control a copied node are copied, too.
  SubgraphCopy(Graph& body, std::map<int, Node*> region) : body_(body), region_(std::move(region)) {}

  /// Adds a Parameter to the body.
  Node& parameter(std::string_view name);
  /// Copied nodes read `inside` where the originals read `outside`.
  void stand_for(OutPort outside, OutPort inside) { inside_[key(outside)] = inside; }
  bool stands_for(OutPort outside) const { return inside_.count(key(outside)) != 0; }
  /// The tensor in the body: a copy of the node that makes it, and of all that leads to it.
  OutPort copy(OutPort outside);
  /// Adds a Result of the body for the tensor.
  Node& result(OutPort outside);
  /// By the ids of their originals.
  const std::map<int, Node*>& copies() const { return copies_; }

 private:
  static std::pair<int, int> key(OutPort port) { return {port.node().id(), port.index()}; }
  Node& copy_of(Node& node);

  void copy_control(const Node& from, Node& to);

  Graph& body_;
  std::map<int, Node*> region_;
  std::map<std::pair<int, int>, OutPort> inside_;
  std::map<int, Node*> copies_;  ///< by id of the original
  std::vector<std::pair<Node*, Node*>> open_;
};

}  // namespace mo::tf

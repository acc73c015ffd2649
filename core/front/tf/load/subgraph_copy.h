// Copies of parts of a graph in a body.
#pragma once

#include <map>
#include <utility>

#include "core/graph/graph.h"

namespace mo::tf {

class SubgraphCopy {
 public:
  /// With `control`, what controls a copied node is copied, too.
  SubgraphCopy(Graph& body, bool control) : body_(body), control_(control) {}

  /// Adds a Parameter to the body.
  Node& parameter(std::string_view name);
  /// In the body, `inside` is what `outside` is in the other graph.
  void stand_for(OutPort outside, OutPort inside) { inside_[key(outside)] = inside; }
  bool stands_for(OutPort outside) const { return inside_.count(key(outside)) != 0; }
  /// The tensor in the body: a copy of the node that makes it, and of all that leads to it.
  OutPort copy(OutPort outside);
  /// Adds a Result of the body for the tensor.
  Node& result(OutPort outside);

 private:
  static std::pair<int, int> key(OutPort port) { return {port.node().id(), port.index()}; }
  Node& copy_of(Node& node);

  Graph& body_;
  bool control_;
  std::map<std::pair<int, int>, OutPort> inside_;
  std::map<int, Node*> copies_;  ///< by id
  std::vector<std::pair<Node*, Node*>> open_;
};

}  // namespace mo::tf

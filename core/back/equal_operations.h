// Operations that compute the same.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "core/graph/graph.h"

namespace mo {

/// Makes equal operations of a graph one: those with the same operation, attributes and sources. Small constants are
/// compared by their bytes, weights by their place. They are given in topological order.
class EqualOperations {
 public:
  /// Gives the consumers and tensor names of the node to an equal one that was given before, and removes it. One that
  /// gives an output of the model is kept, because the output has its name; so is one that chance, a state or a body
  /// takes part in.
  void merge(Node& node);

 private:
  std::string key_of(const Node& node);
  const std::string& text_of(const Node& constant);

  std::unordered_map<std::string, std::vector<Node*>> kept_;  ///< by operation and sources; looked up only
  std::unordered_map<int, std::string> constants_;            ///< by id
};

}  // namespace mo

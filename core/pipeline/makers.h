// Which nodes the user's extensions have made, so that what is wrong with one of them names its class and file.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "core/pipeline/extensions.h"

namespace mo {

/// Nodes of built-in operations in the place of one that an extension has made count as made by it.
class Makers {
 public:
  /// Without extensions nothing is noted.
  explicit Makers(const Extensions* extensions) : extensions_(extensions) {}

  /// A user's extractor has made it of the framework's node.
  void extracted(const Node& node, const ExtensionClass& maker);
  /// Runs a user's transformation: the nodes that it adds to the graph and its bodies are its own.
  void watch(Graph& model, const ExtensionClass& maker, const std::function<void()>& transformation);
  /// The nodes with ids from `first` on are there instead of `node`.
  void replaced(const Node& node, size_t first);
  /// The class that has made these nodes; null if none has, or not the same has made all.
  const ExtensionClass* maker_of(const std::vector<const Node*>& nodes) const;

 private:
  using Made = std::vector<const ExtensionClass*>;  // by the node's id

  const ExtensionClass* find(const Node& node) const;
  void note(const Graph& graph, size_t first, size_t end, const ExtensionClass& maker);

  const Extensions* extensions_;
  /// The model's own graph has an empty pointer. A body that is gone keeps its place here.
  std::map<std::weak_ptr<const Graph>, Made, std::owner_less<>> made_;
};

}  // namespace mo

// The nodes of the graph that layers of the IR were written from.
#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "core/graph/graph.h"

namespace mo {

/// For a graph that does not change any more: it is looked through once, at the first question.
class LayerNodes {
 public:
  /// The nodes of that name and IR type: several if bodies have nodes of one name.
  std::vector<const Node*> find(Graph& model, std::string_view name, std::string_view type);

 private:
  std::multimap<std::string_view, const Node*> named_;
};

}  // namespace mo

#include "core/pipeline/layer_nodes.h"

#include "core/ops/op_def.h"

namespace mo {

std::vector<const Node*> LayerNodes::find(Graph& model, std::string_view name, std::string_view type) {
  if (named_.empty())
    for_each_graph(model, [&](Graph& graph) {
      for (const Node* node : graph.nodes()) named_.emplace(node->name(), node);
    });
  std::vector<const Node*> out;
  const auto [begin, end] = named_.equal_range(name);
  for (auto at = begin; at != end; ++at)
    if (const OpDef* def = at->second->definition(); def && def->type == type) out.push_back(at->second);
  return out;
}

}  // namespace mo

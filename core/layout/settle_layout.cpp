#include "core/layout/settle_layout.h"

#include <algorithm>

#include "core/ops/contract.h"

namespace mo {
namespace {

/// A convolution is an operation with weights that has spatial axes.
bool has_channels_last(const Node& node) {
  if (!node.has("channel_dims") || node.get_ints("spatial_dims").size() < 2) return false;
  const Contract* contract = find_contract(node.op());
  return contract && contract->reads_weights && node.get_ints("channel_dims") != Ints{1};
}

bool any_has_channels_last(Graph& graph) {
  bool found = false;
  for_each_graph(graph, [&](Graph& one) {
    const auto nodes = one.nodes();
    found = found || std::any_of(nodes.begin(), nodes.end(), [](const Node* node) { return has_channels_last(*node); });
  });
  return found;
}

}  // namespace

void settle_layout(Graph& graph) {
  if (graph.model().layout == DataLayout::Nhwc && !any_has_channels_last(graph))
    graph.model().layout = DataLayout::Nchw;
}

}  // namespace mo

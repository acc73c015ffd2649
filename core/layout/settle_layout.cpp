#include "core/layout/settle_layout.h"

#include "core/ops/contract.h"

namespace mo {
namespace {

/// A convolution is an operation with weights that has spatial axes.
bool has_channels_last(const Node& node, bool only_convolutions) {
  if (!node.has("channel_dims") || node.get_ints("spatial_dims").size() < 2) return false;
  const Contract* contract = find_contract(node.op());
  return contract && (contract->reads_weights || !only_convolutions) && node.get_ints("channel_dims") != Ints{1};
}

bool any_has_channels_last(Graph& graph, bool only_convolutions) {
  bool found = false;
  for_each_graph(graph, [&](Graph& one) {
    if (found) return;
    for (const Node* node : one.nodes()) found = found || has_channels_last(*node, only_convolutions);
  });
  return found;
}

}  // namespace

void settle_layout(Graph& graph, bool is_cut) {
  if (graph.model().layout == DataLayout::Nhwc && !any_has_channels_last(graph, !is_cut))
    graph.model().layout = DataLayout::Nchw;
}

}  // namespace mo

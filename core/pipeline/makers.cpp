#include "core/pipeline/makers.h"

#include <algorithm>

namespace mo {

void Makers::extracted(const Node& node, const ExtensionClass& maker) {
  const auto id = static_cast<size_t>(node.id());
  note(node.graph(), id, id + 1, maker);
}

void Makers::watch(Graph& model, const ExtensionClass& maker, const std::function<void()>& transformation) {
  std::map<std::weak_ptr<const Graph>, size_t, std::owner_less<>> before;
  for_each_graph(model, [&](Graph& graph) { before[graph.weak_from_this()] = graph.ids(); });
  transformation();
  for_each_graph(model, [&](Graph& graph) {
    const size_t first = before[graph.weak_from_this()];
    note(graph, first, graph.ids(), maker);
  });
}

void Makers::replaced(const Node& node, size_t first) {
  if (!extensions_) return;
  if (const ExtensionClass* maker = find(node)) note(node.graph(), first, node.graph().ids(), *maker);
}

void Makers::note(const Graph& graph, size_t first, size_t end, const ExtensionClass& maker) {
  if (first == end) return;
  Made& made = made_[graph.weak_from_this()];
  if (made.size() < end) made.resize(end);
  std::fill(made.begin() + static_cast<ptrdiff_t>(first), made.begin() + static_cast<ptrdiff_t>(end), &maker);
}

const ExtensionClass* Makers::find(const Node& node) const {
  for (const UserOp& op : extensions_->ops)
    if (op.op == node.op()) return &op.origin;
  const auto found = made_.find(node.graph().weak_from_this());
  if (found == made_.end() || static_cast<size_t>(node.id()) >= found->second.size()) return nullptr;
  return found->second[static_cast<size_t>(node.id())];
}

const ExtensionClass* Makers::maker_of(const std::vector<const Node*>& nodes) const {
  if (!extensions_) return nullptr;
  const ExtensionClass* maker = nullptr;
  for (const Node* node : nodes) {
    const ExtensionClass* found = find(*node);
    if (!found || (maker && maker != found)) return nullptr;
    maker = found;
  }
  return maker;
}

}  // namespace mo

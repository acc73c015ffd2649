#include "core/pipeline/makers.h"

#include <algorithm>

#include "core/ops/op_def.h"

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

const ExtensionClass* Makers::maker_of(Graph& model, std::string_view name, std::string_view type) {
  if (!extensions_) return nullptr;
  if (named_.empty())
    for_each_graph(model, [&](Graph& graph) {
      for (const Node* node : graph.nodes()) named_.emplace(node->name(), node);
    });
  const ExtensionClass* maker = nullptr;
  const auto [begin, end] = named_.equal_range(name);
  for (auto at = begin; at != end; ++at) {
    const OpDef* def = at->second->definition();
    if (!def || def->type != type) continue;
    const ExtensionClass* found = find(*at->second);
    if (!found || (maker && maker != found)) return nullptr;
    maker = found;
  }
  return maker;
}

}  // namespace mo

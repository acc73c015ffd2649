#include "core/front/kaldi/time/recurrence.h"

#include <map>

namespace mo::kaldi {

OutPort earlier_state(Builder& b, const std::string& pair, int64_t frames, int64_t dim) {
  return b.op("MemoryOffset", {}, {{"t", -frames}, {"has_default", true}, {"variable_id", pair}, {"dim", dim}});
}

void keep_state(Builder& b, const std::string& pair, OutPort x) {
  b.node("MemoryStore", {x}, {{"variable_id", pair}}, 0);
}

void remove_unread_states(Graph& graph) {
  const std::vector<Node*> stores = graph.nodes("MemoryStore");
  if (stores.empty()) return;
  std::map<std::string, Node*> store_of;
  for (Node* store : stores) store_of.emplace(store->get_string("variable_id"), store);
  std::vector<bool> needed(graph.ids());
  std::vector<Node*> open;
  const auto need = [&](Node& node) {
    if (needed[static_cast<size_t>(node.id())]) return;
    needed[static_cast<size_t>(node.id())] = true;
    open.push_back(&node);
  };
  for (Node* node : graph.nodes())
    if (node->op() == "Result" ||
        (node->op() != "MemoryStore" && node->definition() && graph.model().operations.is_sink(*node->definition())))
      need(*node);
  while (!open.empty()) {
    Node& node = *open.back();
    open.pop_back();
    for (int i = 0; i < node.in_count(); ++i)
      if (node.has_in(i)) need(node.source(i).node());
    for (Node* source : node.control_sources()) need(*source);
    if (node.op() != "MemoryOffset" || node.has_in(0)) continue;
    if (const auto found = store_of.find(node.get_string("variable_id")); found != store_of.end()) need(*found->second);
  }
  std::vector<Node*> unread;
  for (Node* node : graph.nodes())
    if (!needed[static_cast<size_t>(node->id())] && node->op() != "Parameter") unread.push_back(node);
  graph.remove(unread);
}

}  // namespace mo::kaldi

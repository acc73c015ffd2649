#include "core/back/weights/nncf_order.h"

#include <algorithm>
#include <deque>
#include <queue>

#include "core/ops/op_def.h"

namespace mo {
namespace {

/// ov::Model::get_ops() of the IR that the graph becomes: readers before what they read, the last input first.
std::vector<Node*> openvino_order(const Graph& graph) {
  std::vector<Node*> open = graph.results;
  for (Node* node : graph.topological_order())
    if (node->op() != "Result" && is_sink(*node)) open.push_back(node);
  open.insert(open.end(), graph.parameters.begin(), graph.parameters.end());
  std::vector<Node*> order;
  std::vector<bool> seen(graph.ids());
  while (!open.empty()) {
    Node* const node = open.back();
    open.pop_back();
    if (seen[static_cast<size_t>(node->id())]) continue;
    seen[static_cast<size_t>(node->id())] = true;
    order.push_back(node);
    for (int i = 0; i < node->in_count(); ++i)
      if (const OutPort source = node->source(i)) open.push_back(&source.node());
  }
  return order;
}

}  // namespace

NncfOrder nncf_order(const Graph& graph) {
  const std::vector<Node*> ordered = openvino_order(graph);
  std::vector<size_t> numbers(graph.ids(), SIZE_MAX);
  std::vector<Node*> by_number;
  const auto is_new = [&](Node* node) {
    size_t& number = numbers[static_cast<size_t>(node->id())];
    if (number != SIZE_MAX) return false;
    number = by_number.size();
    by_number.push_back(node);
    return true;
  };
  std::deque<Node*> open(graph.parameters.begin(), graph.parameters.end());
  for (Node* node : ordered)
    if (node->op() == "ReadValue") open.push_back(node);
  std::vector<bool> computed(graph.ids());
  for (; !open.empty(); open.pop_front()) {
    Node* const node = open.front();
    if (!is_new(node)) continue;
    computed[static_cast<size_t>(node->id())] = true;
    for (int i = 0; i < node->out_count(); ++i) {
      std::vector<Node*> readers;
      for (const InPort& to : OutPort(node, i).destinations()) readers.push_back(&to.node());
      std::stable_sort(readers.begin(), readers.end(), [](Node* a, Node* b) { return a->name() < b->name(); });
      open.insert(open.end(), readers.begin(), readers.end());
    }
  }
  for (Node* node : ordered) is_new(node);

  std::vector<int> missing(by_number.size());
  std::priority_queue<size_t, std::vector<size_t>, std::greater<>> ready;
  for (size_t i = 0; i < by_number.size(); ++i) {
    for (int in = 0; in < by_number[i]->in_count(); ++in) missing[i] += by_number[i]->has_in(in);
    if (missing[i] == 0) ready.push(i);
  }
  NncfOrder out{{}, std::move(computed)};
  while (!ready.empty()) {
    Node* const node = by_number[ready.top()];
    ready.pop();
    out.nodes.push_back(node);
    for (int i = 0; i < node->out_count(); ++i)
      for (const InPort& to : OutPort(node, i).destinations())
        if (const size_t number = numbers[static_cast<size_t>(to.node().id())];
            number != SIZE_MAX && --missing[number] == 0)
          ready.push(number);
  }
  return out;
}

}  // namespace mo

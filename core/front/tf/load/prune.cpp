#include "core/front/tf/load/prune.h"

#include <algorithm>
#include <unordered_map>

#include "core/graph/body.h"

namespace mo::tf {
namespace {

bool has_branches(const Node& node) { return node.get_graph(kBranches[0]) && node.get_graph(kBranches[1]); }

void drop_unread(Node& node) {
  for (int i = 0; i < node.out_count(); ++i) {
    if (!node.has_out_port(i) || !node.out(i).disconnected()) continue;
    for (const char* name : kBranches)
      if (Node* result = result_for(*node.get_graph(name), i)) result->graph().remove(*result);
    node.delete_out_port(i);
  }
}

/// The results of a branch that never runs become a number that nothing reads.
void drop_dead(Node& node) {
  const auto condition = node.has("index") ? std::nullopt : constant_number(node.source(0));
  if (!condition) return;
  Graph& dead = *node.get_graph(kBranches[*condition != 0]);
  Node& nothing = dead.constant(make_scalar(ElementType::F32, 0));
  for (Node* result : dead.results) result->in(0).connect(nothing);
}

bool is_while(const Node& node) { return node.get_graph("cond") && node.get_graph("body"); }

/// The variables of a While, and which of them are needed.
class Variables {
 public:
  explicit Variables(Node& node) : node_(node), cond_(*node.get_graph("cond")), body_(*node.get_graph("body")) {}

  void drop_unneeded() {
    const auto count = static_cast<size_t>(node_.in_count());
    for (const size_t has : {static_cast<size_t>(node_.out_count()), cond_.parameters.size(), body_.parameters.size(),
                             body_.results.size()})
      if (has != count) return;  // an error of the model, which is reported when the loop is converted
    for (Graph* graph : {&cond_, &body_})
      for (size_t i = 0; i < count; ++i) number_[graph->parameters[i]] = i;
    needed_.assign(count, false);
    for (const Node* result : cond_.results) need(result->source(0));
    for (size_t i = 0; i < count; ++i)
      if (!node_.out(static_cast<int>(i)).disconnected()) need_variable(i);
    follow();
    if (std::find(needed_.begin(), needed_.end(), true) != needed_.end()) remove_others();
  }

 private:
  void need_variable(size_t at) {
    if (needed_[at]) return;
    needed_[at] = true;
    need(body_.results[at]->source(0));
  }

  void need(OutPort port) {
    if (port) open_.push_back(&port.node());
  }

  void follow() {
    while (!open_.empty()) {
      Node* node = open_.back();
      open_.pop_back();
      if (!seen_.emplace(node, true).second) continue;
      if (const auto variable = number_.find(node); variable != number_.end()) need_variable(variable->second);
      for (int i = 0; i < node->in_count(); ++i) need(node->source(i));
    }
  }

  /// Those behind take the place of those that go.
  void remove_others() {
    int kept = 0;
    for (size_t i = 0; i < needed_.size(); ++i) {
      const auto at = static_cast<int>(i);
      if (!needed_[i]) {
        node_.in(at).disconnect();
        continue;
      }
      if (at != kept) {
        if (const OutPort source = node_.source(at)) node_.in(kept).connect(source);
        node_.out(kept).tensor() = node_.out(at).tensor();
        for (const InPort& reader : node_.out(at).destinations()) reader.connect(node_.out(kept));
      }
      ++kept;
    }
    node_.truncate_in_ports(kept);
    node_.truncate_out_ports(kept);
    const std::vector<Node*> results = body_.results;
    for (Graph* graph : {&cond_, &body_}) {
      const std::vector<Node*> parameters = graph->parameters;
      for (size_t i = 0; i < parameters.size(); ++i) {
        if (needed_[i]) continue;
        if (graph == &body_) graph->remove(*results[i]);
        graph->remove(*parameters[i]);
      }
      graph->clean_up();
    }
  }

  Node& node_;
  Graph &cond_, &body_;
  std::unordered_map<const Node*, size_t> number_;  ///< of Parameters; looked up only, as is seen_
  std::unordered_map<const Node*, bool> seen_;
  std::vector<bool> needed_;
  std::vector<Node*> open_;
};

/// What a loop needs depends on what the loops in it need, and the other way round.
void prune(Graph& graph) {
  graph.clean_up();
  for (Node* node : graph.nodes()) {
    if (has_branches(*node)) drop_unread(*node), drop_dead(*node);
    if (is_while(*node)) Variables(*node).drop_unneeded();
    for (Graph* body : bodies_of(*node)) prune(*body);
    if (is_while(*node)) Variables(*node).drop_unneeded();
  }
  graph.clean_up();
}

}  // namespace

void prune_bodies(Graph& graph) {
  bool any = false;
  for (const Node* node : graph.nodes()) any |= !bodies_of(*node).empty();
  if (any) prune(graph);
}

}  // namespace mo::tf

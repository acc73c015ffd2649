#include "core/front/tf/load/prune.h"

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

void prune(Graph& graph) {
  graph.clean_up();
  for (Node* node : graph.nodes()) {
    if (has_branches(*node)) drop_unread(*node), drop_dead(*node);
    for (Graph* body : bodies_of(*node)) prune(*body);
  }
  graph.clean_up();
}

}  // namespace

void prune_branches(Graph& graph) {
  bool any = false;
  for (const Node* node : graph.nodes()) any |= !bodies_of(*node).empty();
  if (any) prune(graph);
}

}  // namespace mo::tf

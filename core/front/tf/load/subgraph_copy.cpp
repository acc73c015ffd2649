#include "core/front/tf/load/subgraph_copy.h"

#include <algorithm>

#include "core/front/tf/load/frames.h"
#include "core/graph/body.h"

namespace mo::tf {

/// The nearest come first. A file with long chains of NoOps costs no more than this.
constexpr int kMostControlSources = 4096;

std::vector<Node*> pivots_of(const Node& node) {
  std::vector<Node*> pivots;
  if (!node.has_control_flow()) return pivots;
  std::vector<const Node*> open{&node};
  int steps = 0;
  for (size_t i = 0; i < open.size(); ++i)
    for (Node* source : open[i]->control_sources()) {
      if (++steps > kMostControlSources) return pivots;
      if (source->op() == "Identity" && is_switch(behind_identities(*source).node())) pivots.push_back(source);
      if (source->op() == "NoOp" && std::find(open.begin(), open.end(), source) == open.end()) open.push_back(source);
    }
  return pivots;
}

Node& SubgraphCopy::parameter(std::string_view name) {
  Node& made = body_.add_node("Parameter", name);
  made.add_out_ports(1);
  return made;
}

Node& SubgraphCopy::copy_of(Node& node) {
  Node*& copy = copies_[node.id()];
  if (!copy) {
    copy = &body_.add_copy(node, node.name());
    open_.emplace_back(&node, copy);
  }
  return *copy;
}

/// The output of a Switch, behind Identities, says to which branch a node belongs.
void SubgraphCopy::copy_control(const Node& from, Node& to) {
  int order = 0;
  for (Node* pivot : pivots_of(from)) {
    const OutPort decided = behind_identities(*pivot);
    if (region_.count(decided.node().id()) && !stands_for(decided))
      to.control_in(order++).connect(copy_of(*pivot).control_out());
  }
}

OutPort SubgraphCopy::copy(OutPort outside) {
  const auto inside = [&](OutPort port) {
    const auto found = inside_.find(key(port));
    return found == inside_.end() ? OutPort(&copy_of(port.node()), port.index()) : found->second;
  };
  const OutPort made = inside(outside);
  while (!open_.empty()) {
    const auto [from, to] = open_.back();
    open_.pop_back();
    for (int i = 0; i < from->in_count(); ++i)
      if (const OutPort source = from->source(i)) to->in(i).connect(inside(source));
    copy_control(*from, *to);
  }
  return made;
}

Node& SubgraphCopy::result(OutPort outside) {
  Node& made = body_.add_node("Result", cat(outside.node().name(), "/sink_port_0"));
  made.add_in_ports(1);
  made.in(0).connect(copy(outside));
  return made;
}

}  // namespace mo::tf

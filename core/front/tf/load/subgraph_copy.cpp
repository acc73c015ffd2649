#include "core/front/tf/load/subgraph_copy.h"

#include <algorithm>

#include "core/front/tf/load/frames.h"
#include "core/graph/body.h"

namespace mo::tf {

/// The nearest come first. A lowered function has one NoOp; a file with long chains of them costs no more than this.
constexpr size_t kMostControlSources = 64;

std::vector<Node*> pivots_of(const Node& node) {
  std::vector<Node*> pivots, open = node.control_sources();
  for (size_t i = 0; i < open.size() && i < kMostControlSources; ++i) {
    if (is_switch(behind_identities(*open[i]).node())) pivots.push_back(open[i]);
    if (open[i]->op() != "NoOp") continue;
    for (Node* source : open[i]->control_sources())
      if (open.size() < kMostControlSources && std::find(open.begin(), open.end(), source) == open.end())
        open.push_back(source);
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

#include "core/decompose/control/branches.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "core/graph/body.h"
#include "core/ops/op_def.h"

namespace mo {
namespace {

OutPort behind_equal_nodes(OutPort port) {
  while (port && port.node().op() == "Identity") port = port.node().source(0);
  return port;
}

OutPort made_by(const Node& owner, const char* branch, int output) {
  const Graph* body = owner.get_graph(branch);
  const Node* result = body ? result_for(*body, output) : nullptr;
  return result ? behind_equal_nodes(result->source(0)) : OutPort();
}

/// Sequences and optionals do not pass the boundary of a body.
void require_tensor(OutPort port) {
  const OpDef* def = port.node().definition();
  if (def && !def->gives_tensors) throw Error(Code::UnsupportedForm, "no tensor", port.node().place());
}

/// All nodes that `end` depends on, before those that read them; `end` itself is the last.
std::vector<Node*> nodes_before(Node& end) {
  std::vector<char> seen(end.graph().ids(), 0);
  std::vector<Node*> order;
  std::vector<std::pair<Node*, int>> path = {{&end, 0}};
  while (!path.empty()) {
    auto& [node, next] = path.back();
    if (next == node->in_count()) {
      order.push_back(node);
      path.pop_back();
      continue;
    }
    const OutPort source = node->source(next++);
    if (!source || seen[static_cast<size_t>(source.node().id())]) continue;
    seen[static_cast<size_t>(source.node().id())] = 1;
    path.emplace_back(&source.node(), 0);
  }
  return order;
}

}  // namespace

Node* if_of_two_ranks(OutPort port) {
  if (!port || port.tensor().shape.has_rank()) return nullptr;
  const OutPort made = behind_equal_nodes(port);
  if (!made || made.node().op() != "If") return nullptr;
  const OutPort a = made_by(made.node(), kBranches[0], made.index()),
                b = made_by(made.node(), kBranches[1], made.index());
  if (!a || !b) return nullptr;
  const int ranks[] = {a.tensor().shape.rank(), b.tensor().shape.rank()};
  const bool differ = ranks[0] >= 0 && ranks[1] >= 0 && std::max(ranks[0], ranks[1]) > 1;
  return differ || if_of_two_ranks(a) || if_of_two_ranks(b) ? &made.node() : nullptr;
}

BranchMove plan_move(Node& consumer, const std::vector<Node*>& owners) {
  const auto is_owner = [&](Node* node) { return std::find(owners.begin(), owners.end(), node) != owners.end(); };
  BranchMove move;
  std::vector<char> moves(consumer.graph().ids(), 0);
  for (Node* node : nodes_before(consumer)) {
    bool depends = is_owner(node);
    for (int i = 0; i < node->in_count() && !depends; ++i)
      if (const OutPort source = node->source(i)) depends = moves[static_cast<size_t>(source.node().id())] != 0;
    if (!depends) continue;
    moves[static_cast<size_t>(node->id())] = 1;
    move.owner ? move.nodes.push_back(node) : void(move.owner = node);
  }
  return move;
}

// BranchCopy

BranchCopy::BranchCopy(Node& owner, const std::string& attribute)
    : owner_(owner), branch_(*owner.get_graph(attribute)), first_(branch_.ids()), inputs_(owner.in_count()) {}

void BranchCopy::add(const std::vector<Node*>& nodes, const std::vector<OutPort>& outputs) {
  for (Node* node : nodes) {
    Node& copy = branch_.add_copy(*node, node->name());
    copy.require_shape_inference();
    for (int i = 0; i < node->in_count(); ++i)
      if (const OutPort source = node->source(i)) copy.in(i).connect(inside(source));
    copies_[node] = &copy;
  }
  // Results are consumers: they follow when a copy is replaced by others.
  for (const OutPort& output : outputs) {
    Node& result = branch_.add_node("Result", cat(output.node().name(), "/sink_port_", output.index()));
    result.add_in_ports(1);
    result.in(0).connect(inside(output));
    results_.push_back(&result);
  }
  for (Node* node : nodes) infer_or_decompose(*copies_.at(node));
  for (Node* result : results_) require_tensor(result->source(0));
}

void BranchCopy::undo() {
  for (size_t id = first_; id < branch_.ids(); ++id) branch_.remove(branch_.node(static_cast<int>(id)));
  owner_.truncate_in_ports(inputs_);
}

OutPort BranchCopy::inside(OutPort outside) {
  if (const auto found = copies_.find(&outside.node()); found != copies_.end())
    return found->second->out(outside.index());
  return &outside.node() == &owner_ ? result_for(branch_, outside.index())->source(0) : captured(outside);
}

OutPort BranchCopy::captured(OutPort outside) {
  require_tensor(outside);
  if (outside.node().op() == "Const") {
    Node& copy = branch_.add_copy(outside.node(), outside.node().name());
    infer_node(copy);
    return copy;
  }
  int port = 1;
  while (port < owner_.in_count() && !(owner_.source(port) == outside)) ++port;
  if (port == owner_.in_count()) {
    owner_.add_in_ports(port + 1);
    owner_.in(port).connect(outside);
  }
  for (Node* parameter : branch_.parameters)
    if (parameter->get_int("external_port_id") == port) return *parameter;
  Node& parameter = branch_.add_node("Parameter", outside.node().name());
  parameter.add_out_ports(1);
  parameter.set("external_port_id", int64_t{port});
  infer_node(parameter);
  return parameter;
}

void drop_unread_outputs(Node& owner) {
  for (int i = owner.out_count() - 1; i >= 0; --i) {
    if (!owner.has_out_port(i) || !owner.out(i).disconnected()) continue;
    for (const char* name : kBranches) {
      Graph& branch = *owner.get_graph(name);
      Node* unread = result_for(branch, i);
      while (unread && (unread->op() == "Result" || (unread->op() == "Identity" && unread->out(0).disconnected()))) {
        Node& next = unread->source(0).node();
        branch.remove(*unread);
        unread = &next;
      }
      if (unread && unread->op() == "If") drop_unread_outputs(*unread);
    }
    owner.delete_out_port(i);
  }
}

namespace {

/// The same nodes, each behind those of them that it reads.
std::vector<Node*> sources_first(const std::vector<Node*>& nodes) {
  std::unordered_set<const Node*> left(nodes.begin(), nodes.end());
  std::vector<Node*> order;
  std::vector<std::pair<Node*, int>> path;  // with the next input to look at
  for (Node* start : nodes) {
    if (left.erase(start)) path.emplace_back(start, 0);
    while (!path.empty()) {
      auto& [node, next] = path.back();
      if (next == node->in_count()) {
        order.push_back(node);
        path.pop_back();
      } else if (const OutPort source = node->source(next++); source && left.erase(&source.node())) {
        path.emplace_back(&source.node(), 0);
      }
    }
  }
  return order;
}

}  // namespace

void infer_dependents(const std::vector<Node*>& nodes) {
  // A model may have many Ifs: only the nodes that depend on these are looked at.
  std::vector<Node*> stale;
  std::unordered_set<const Node*> found;
  const auto mark = [&](Node& node) {
    if (!node.removed() && !node.needs_shape_inference() && found.insert(&node).second) stale.push_back(&node);
  };
  for (Node* node : nodes) mark(*node);
  for (size_t next = 0; next < stale.size(); ++next)
    for (int i = 0; i < stale[next]->out_count(); ++i)
      for (const InPort& reader : OutPort(stale[next], i).destinations()) mark(reader.node());
  std::sort(stale.begin(), stale.end(), [](const Node* a, const Node* b) { return a->id() < b->id(); });
  for (Node* node : sources_first(stale))
    if (!node->removed()) infer_or_decompose(*node);
}

}  // namespace mo

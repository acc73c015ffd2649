#include "core/graph/graph.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "core/graph/body.h"
#include "core/graph/name_to_extend.h"

namespace mo {

// Names

std::string_view name_to_extend(std::string_view name) {
  constexpr size_t kLongest = 1024;
  if (name.size() <= kLongest) return name;
  size_t end = kLongest;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80) --end;  // not within a character
  return name.substr(0, end);
}

NodeName& Graph::fresh_name(std::string_view name) {
  // A long name of a node is not repeated in the names of all that is made of it: "<name>/<part>".
  std::string shorter;
  if (const size_t slash = name.rfind('/'); slash != name.npos &&
                                            name_to_extend(name.substr(0, slash)).size() < slash &&
                                            names_.count(std::string(name.substr(0, slash))))
    name = shorter = cat(name_to_extend(name), name.substr(slash));
  const auto take = [this](std::string text) -> NodeName* {
    NodeName& entry = *names_.try_emplace(std::move(text)).first;
    if (entry.second.used != 0 || entry.second.bearers != 0) return nullptr;
    entry.second.used = 1;
    return &entry;
  };
  if (NodeName* free = take(std::string(name))) return *free;
  int& used = names_.find(std::string(name))->second.used;
  while (true) {
    used = std::max(used, 1);
    if (NodeName* free = take(cat(name, "_", used++))) return *free;
  }
}

std::string Graph::unique_name(std::string_view name) { return fresh_name(name).first; }

Node* Graph::find(std::string_view key) const {
  const auto found = names_.find(std::string(key));
  if (found == names_.end() || found->second.key_of < 0) return nullptr;
  Node& node = *nodes_[static_cast<size_t>(found->second.key_of)];
  return node.removed() ? nullptr : &node;
}

bool Graph::has_name(std::string_view name) const {
  const auto found = names_.find(std::string(name));
  return found != names_.end() && found->second.bearers > 0;
}

void Graph::rename_nodes(const std::vector<std::pair<Node*, std::string>>& names) {
  std::map<std::string_view, int> freed;
  std::set<std::string_view> taken;
  for (const auto& [node, name] : names) ++freed[node->name()];
  for (const auto& [node, name] : names) {
    const auto found = names_.find(name);
    const int bearers = found == names_.end() ? 0 : found->second.bearers;
    if (!taken.insert(name).second || bearers > freed[name]) throw Error(Code::DuplicateNode, name, node->place());
  }
  for (const auto& [node, name] : names) node->set_name(name);
}

// Nodes

void Graph::reserve(size_t nodes) {
  const size_t count = nodes_.size() + nodes;
  nodes_.reserve(count), listed_.reserve(count), names_.reserve(count);
}

Node& Graph::add_node(std::string op, std::string_view name) {
  NodeName& given = fresh_name(name.empty() ? std::string_view(op) : name);
  return add_named_node(std::move(op), given);
}

Node& Graph::add_node_with_key(std::string op, std::string_view key) {
  if (find(key)) throw Error(Code::DuplicateNode, std::string(key));
  NodeName& given = *names_.try_emplace(std::string(key)).first;
  given.second.used = std::max(given.second.used, 1);
  return add_named_node(std::move(op), given);
}

Node& Graph::new_node(NodeName& given) {
  if (block_used_ == block_size_) {
    block_size_ = std::clamp<size_t>(nodes_.size(), 4, 256);
    block_used_ = 0;
    blocks_.emplace_back(new std::byte[block_size_ * sizeof(Node)]);
  }
  void* place = blocks_.back().get() + block_used_ * sizeof(Node);
  nodes_.emplace_back(new (place) Node(*this, static_cast<int>(nodes_.size()), given, given.first));
  ++block_used_;
  return *nodes_.back();
}

Node& Graph::add_named_node(std::string op, NodeName& given) {
  Node& node = new_node(given);
  given.second.key_of = node.id();
  ++given.second.bearers;
  listed_.push_back(&node);
  ++alive_;
  set_op(node, std::move(op));
  return node;
}

Node& Graph::add_copy(const Node& node, std::string_view name) {
  Node& copy = add_node(node.op(), name);
  copy.pb = node.pb;
  copy.add_in_ports(node.in_count());
  copy.add_out_ports(node.out_count());
  if (node.rare_) {
    for (const int port : node.rare_->missing_in) copy.delete_in_port(port);
    for (const int port : node.rare_->missing_out) copy.delete_out_port(port);
    copy.define(node.rare_->define);
  }
  for (int i = 0; i < node.out_count(); ++i) copy.output(i).tensor.names = node.output(i).tensor.names;
  for (const auto& [key, value] : node.attributes) {
    const auto* body = std::get_if<std::shared_ptr<Graph>>(&value);
    copy.set(key, body ? Attribute(copy_body(**body, copy)) : value);
  }
  return copy;
}

void Graph::remove(Node& node) {
  if (node.removed_) return;
  take_out(node);
  leave_boundary(node);
}

void Graph::remove(const std::vector<Node*>& nodes) {
  for (Node* node : nodes)
    if (!node->removed_) take_out(*node);
  for (std::vector<Node*>* list : {&parameters, &results})
    std::erase_if(*list, [](const Node* node) { return node->removed(); });
}

void Graph::take_out(Node& node) {
  node.truncate_in_ports(0);
  for (int i = 0; i < node.out_count(); ++i) OutPort(&node, i).disconnect();
  if (node.has_control_flow()) {
    for (size_t i = 0; i < node.rare_->control_in.size(); ++i) node.control_in(static_cast<int>(i)).disconnect();
    for (size_t i = 0; i < node.rare_->control_out.size(); ++i) node.control_out(static_cast<int>(i)).disconnect();
  }
  --node.name_->second.bearers;
  node.removed_ = model_->edited = true;
  --alive_;
}

Node& Graph::node(int id) const {
  if (id < 0 || static_cast<size_t>(id) >= nodes_.size()) throw Error(Code::NoSuchNode, msg("number ", id));
  return *nodes_[static_cast<size_t>(id)];
}

void Graph::replace(Node& old, Node& made) {
  const std::string name = old.name();
  OutPort(old).connection().set_source(made);
  remove(old);
  rename_nodes({{&made, name}});
}

std::vector<Node*> Graph::nodes() const {
  if (listed_.size() != alive_) std::erase_if(listed_, [](const Node* node) { return node->removed(); });
  return listed_;
}

std::vector<Node*> Graph::nodes(std::string_view op) const {
  std::vector<Node*> out;
  const auto found = by_op_.find(std::string(op));
  if (found == by_op_.end()) return out;
  std::vector<int>& ids = found->second;
  if (!std::is_sorted(ids.begin(), ids.end(), std::less_equal<int>())) {
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  }
  for (const int id : ids)
    if (Node& node = *nodes_[static_cast<size_t>(id)]; !node.removed() && node.op_ == &found->first)
      out.push_back(&node);
  return out;
}

std::vector<Node*> Graph::nodes_of(List<std::string_view> ops) const {
  std::vector<Node*> out;
  for (const std::string_view op : ops) {
    const std::vector<Node*> more = nodes(op);
    out.insert(out.end(), more.begin(), more.end());
  }
  std::sort(out.begin(), out.end(), [](const Node* a, const Node* b) { return a->id() < b->id(); });
  return out;
}

void Graph::set_op(Node& node, std::string op) {
  auto& [key, ids] = *by_op_.try_emplace(std::move(op)).first;
  node.op_ = &key;
  model_->edited = true;
  ids.push_back(node.id());
  if (node.removed()) return;
  if (std::vector<Node*>* list = boundary(node)) list->push_back(&node);
}

std::vector<Node*>* Graph::boundary(const Node& node) {
  return node.op() == "Parameter" ? &parameters : node.op() == "Result" ? &results : nullptr;
}

void Graph::leave_boundary(const Node& node) {
  if (std::vector<Node*>* list = boundary(node))
    list->erase(std::remove(list->begin(), list->end(), &node), list->end());
}

std::vector<Node*> Graph::topological_order() const {
  enum : char { New, Open, Done };
  std::vector<char> state(nodes_.size(), New);
  std::vector<Node*> order;
  order.reserve(alive_);
  struct Step {
    Node* node;
    int next = 0;  ///< the next input to look at
    std::vector<Node*> control;
  };
  std::vector<Step> path;
  const auto enter = [&path](Node* node) {
    path.push_back({node, 0, node->has_control_flow() ? node->control_sources() : std::vector<Node*>()});
  };
  for (Node* start : nodes()) {
    if (state[static_cast<size_t>(start->id())] != New) continue;
    enter(start);
    state[static_cast<size_t>(start->id())] = Open;
    while (!path.empty()) {
      auto& [node, next, control] = path.back();
      if (next == node->in_count() + static_cast<int>(control.size())) {
        state[static_cast<size_t>(node->id())] = Done;
        order.push_back(node);
        path.pop_back();
        continue;
      }
      const int at = next++;
      Node* source = at < node->in_count() ? nullptr : control[static_cast<size_t>(at - node->in_count())];
      if (const OutPort port = node->source(at)) source = &port.node();
      if (!source) continue;
      char& mark = state[static_cast<size_t>(source->id())];
      if (mark == Open) {
        std::string names;
        bool inside = false;
        for (const Step& step : path) {
          inside |= step.node == source;
          if (inside) names += step.node->name() + " <- ";
        }
        throw Error(Code::CyclicGraph, msg(names, source->name()), source->place());
      }
      if (mark == New) {
        mark = Open;
        enter(source);
      }
    }
  }
  return order;
}

Node& Graph::constant(Constant value, std::string_view name) {
  Node& node = add_node("Const", name);
  node.add_out_ports(1);
  node.set("value", std::move(value));
  model_->operations.infer(node);
  return node;
}

/// Nodes that have bodies, in order of creation.
std::vector<Node*> Graph::owners() const {
  if (!std::is_sorted(owners_.begin(), owners_.end(), std::less_equal<int>())) {
    std::sort(owners_.begin(), owners_.end());
    owners_.erase(std::unique(owners_.begin(), owners_.end()), owners_.end());
  }
  std::vector<Node*> out;
  for (const int id : owners_)
    if (Node* node = nodes_[static_cast<size_t>(id)].get(); !node->removed() && !bodies_of(*node).empty())
      out.push_back(node);
  return out;
}

void Graph::clean_up() {
  for (Node* owner : owners()) {
    for (Graph* body : bodies_of(*owner)) body->clean_up();
    drop_unused_inputs(*owner);
  }
  // Known values that do not depend on a ShapeOf become constants.
  for (Node* node : nodes()) {
    if (node->op() == "Const" || node->op() == "Result" || (node->op() == "Parameter" && !owner_)) continue;
    for (int i = 0; i < node->out_count(); ++i) {
      const OutPort port(node, i);
      Tensor& tensor = port.tensor();
      if (!tensor.value || tensor.from_shape || port.disconnected()) continue;
      Node& known = constant(*tensor.value, node->name());
      port.connection().set_source(known, TensorNames::Merge);
    }
  }
  std::vector<char> needed(nodes_.size(), 0);
  std::vector<Node*> open(results.begin(), results.end());
  for (Node* node : nodes())
    if (const OpDef* def = node->definition(); def && model_->operations.is_sink(*def)) open.push_back(node);
  for (Node* node : open) needed[static_cast<size_t>(node->id())] = 1;
  const auto need = [&](Node& source) {
    if (needed[static_cast<size_t>(source.id())]) return;
    needed[static_cast<size_t>(source.id())] = 1;
    open.push_back(&source);
  };
  while (!open.empty()) {
    Node* node = open.back();
    open.pop_back();
    for (int i = 0; i < node->in_count(); ++i)
      if (const OutPort source = node->source(i)) need(source.node());
    for (Node* source : node->control_sources()) need(*source);
  }
  for (Node* node : parameters) needed[static_cast<size_t>(node->id())] = 1;
  std::vector<Node*> unneeded = nodes();
  std::erase_if(unneeded, [&](const Node* node) { return needed[static_cast<size_t>(node->id())]; });
  remove(unneeded);
}

void for_each_graph(Graph& graph, const std::function<void(Graph&)>& action) {
  action(graph);
  for (Node* owner : graph.owners())
    for (Graph* body : bodies_of(*owner)) for_each_graph(*body, action);
}

}  // namespace mo

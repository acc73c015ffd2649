#include "core/graph/graph.h"

#include <algorithm>

#include "core/ops/op_def.h"

namespace mo {

// Tensor

bool IntTensor::is_exact() const {
  return std::all_of(elements.begin(), elements.end(), [](Interval e) { return e.is_exact(); });
}

std::vector<int64_t> IntTensor::exact() const {
  std::vector<int64_t> out;
  out.reserve(elements.size());
  for (const Interval& e : elements) out.push_back(e.min);
  return out;
}

// Ports

Tensor& OutPort::tensor() const { return node_->output(index_).tensor; }

std::vector<InPort> OutPort::destinations() const { return node_->output(index_).consumers; }

bool OutPort::disconnected() const { return node_->output(index_).consumers.empty(); }

void OutPort::connect(InPort port) const { port.connect(*this); }

Connection OutPort::connection() const { return {*this, destinations()}; }

OutPort InPort::source() const { return node_->inputs_[static_cast<size_t>(index_)]; }

void InPort::disconnect() const {
  OutPort& slot = node_->inputs_[static_cast<size_t>(index_)];
  if (!slot) return;
  auto& consumers = slot.node().output(slot.index()).consumers;
  consumers.erase(std::find(consumers.begin(), consumers.end(), *this));
  slot = {};
}

void InPort::connect(OutPort source) const {
  if (&source.node().graph() != &node_->graph() || source.node().removed() || node_->removed())
    throw Error(Code::InvalidGraph, "ports of different graphs or of a removed node cannot be joined", node_->place());
  disconnect();
  node_->inputs_[static_cast<size_t>(index_)] = source;
  source.node().output(source.index()).consumers.push_back(*this);
}

// Connection

namespace {
void add_names(std::vector<std::string>& to, const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (std::find(to.begin(), to.end(), name) == to.end()) to.push_back(name);
}
}  // namespace

void Connection::set_source(OutPort port, TensorNames mode) {
  if (source_) {
    if (mode == TensorNames::Default)
      mode = source_.node().op() == "Parameter" ? TensorNames::Source : TensorNames::Merge;
    if (mode != TensorNames::Source) {
      auto& names = port.tensor().names;
      auto& old = source_.tensor().names;
      if (mode == TensorNames::Dest) names.clear();
      add_names(names, old);
      old.clear();
    }
  }
  for (const InPort& destination : destinations_) destination.connect(port);
  source_ = port;
}

void Connection::set_destination(InPort port) {
  if (destinations_.size() > 1)
    throw Error(Code::InvalidGraph, "the connection has several destinations", source_.node().place());
  for (const InPort& destination : destinations_) destination.disconnect();
  port.connect(source_);
  destinations_ = {port};
}

void Connection::insert_node(Node& node, TensorNames mode) {
  const OutPort before = source_;
  set_source(node.out(0), mode);
  node.in(0).connect(before);
}

void Connection::remove() {
  for (const InPort& destination : destinations_) destination.disconnect();
  destinations_.clear();
}

// Node

void Node::set_op(std::string op) {
  op_ = std::move(op);
  definition_known_ = false;
}

const OpDef* Node::definition() const {
  if (!definition_known_) {
    definition_ = find_op(op_);
    definition_known_ = true;
  }
  return definition_;
}

int64_t Node::get_int(std::string_view key, int64_t otherwise) const {
  if (const bool* flag = attributes.get_if<bool>(key)) return *flag;
  const int64_t* v = attributes.get_if<int64_t>(key);
  return v ? *v : otherwise;
}
double Node::get_float(std::string_view key, double otherwise) const {
  if (const int64_t* whole = attributes.get_if<int64_t>(key)) return static_cast<double>(*whole);
  const double* v = attributes.get_if<double>(key);
  return v ? *v : otherwise;
}
bool Node::get_bool(std::string_view key, bool otherwise) const {
  if (const int64_t* whole = attributes.get_if<int64_t>(key)) return *whole != 0;
  const bool* v = attributes.get_if<bool>(key);
  return v ? *v : otherwise;
}
std::string Node::get_string(std::string_view key, std::string_view otherwise) const {
  const std::string* v = attributes.get_if<std::string>(key);
  return v ? *v : std::string(otherwise);
}
Ints Node::get_ints(std::string_view key, const Ints& otherwise) const {
  const Ints* v = attributes.get_if<Ints>(key);
  return v ? *v : otherwise;
}
Doubles Node::get_floats(std::string_view key, const Doubles& otherwise) const {
  const Doubles* v = attributes.get_if<Doubles>(key);
  return v ? *v : otherwise;
}
Strings Node::get_strings(std::string_view key) const {
  const Strings* v = attributes.get_if<Strings>(key);
  return v ? *v : Strings{};
}
ElementType Node::get_type(std::string_view key, ElementType otherwise) const {
  const ElementType* v = attributes.get_if<ElementType>(key);
  return v ? *v : otherwise;
}
Graph* Node::get_graph(std::string_view key) const {
  const auto* v = attributes.get_if<std::shared_ptr<Graph>>(key);
  return v ? v->get() : nullptr;
}

InPort Node::in(int index) {
  if (index < 0 || index >= in_count()) throw Error(Code::NoSuchPort, cat("input ", index), place());
  return {this, index};
}
OutPort Node::out(int index) {
  if (index < 0 || index >= out_count()) throw Error(Code::NoSuchPort, cat("output ", index), place());
  return {this, index};
}
void Node::add_in_ports(int count) {
  if (count > in_count()) inputs_.resize(static_cast<size_t>(count));
}
void Node::add_out_ports(int count) {
  out_count_ = std::max(out_count_, count);
  while (static_cast<int>(more_outputs_.size()) < out_count_ - 1) more_outputs_.push_back(std::make_unique<Output>());
}
void Node::truncate_in_ports(int count) {
  for (int i = count; i < in_count(); ++i) in(i).disconnect();
  if (count < in_count()) inputs_.resize(static_cast<size_t>(count));
}
void Node::truncate_out_ports(int count) {
  for (int i = count; i < out_count(); ++i) out(i).connection().remove();
  if (count >= out_count_) return;
  out_count_ = std::max(count, 0);
  more_outputs_.resize(static_cast<size_t>(std::max(out_count_ - 1, 0)));
  if (out_count_ == 0) first_output_ = {};
}
bool Node::has_in(int index) const { return index >= 0 && index < in_count() && inputs_[static_cast<size_t>(index)]; }
OutPort Node::source(int index) const { return has_in(index) ? inputs_[static_cast<size_t>(index)] : OutPort(); }
Place Node::place() const {
  Place place{.node = name_, .op = pb ? pb->op : op_};
  if (pb) place.file = graph_.files().name(pb->file), place.offset = static_cast<int64_t>(pb->offset);
  return place;
}

// Graph

std::string Graph::unique_name(std::string_view name) {
  std::string candidate(name);
  while (true) {
    const auto [entry, fresh] = name_uses_.try_emplace(candidate, 0);
    if (fresh) return candidate;
    candidate = cat(name, "_", ++name_uses_[std::string(name)]);
  }
}

Node& Graph::add_node(std::string op, std::string_view name) {
  const std::string given = unique_name(name.empty() ? std::string_view(op) : name);
  nodes_.push_back(std::make_unique<Node>(*this, static_cast<int>(nodes_.size()), given, std::move(op)));
  ++alive_;
  return *nodes_.back();
}

void Graph::remove(Node& node) {
  node.truncate_in_ports(0);
  for (int i = 0; i < node.out_count(); ++i) node.out(i).connection().remove();
  node.removed_ = true;
  --alive_;
}

std::vector<Node*> Graph::nodes() const {
  std::vector<Node*> out;
  out.reserve(alive_);
  for (const auto& node : nodes_)
    if (!node->removed()) out.push_back(node.get());
  return out;
}

std::vector<Node*> Graph::nodes(std::string_view op) const {
  std::vector<Node*> out;
  for (const auto& node : nodes_)
    if (!node->removed() && node->op() == op) out.push_back(node.get());
  return out;
}

Node* Graph::find(std::string_view name) const {
  for (const auto& node : nodes_)
    if (!node->removed() && node->name() == name) return node.get();
  return nullptr;
}

std::vector<Node*> Graph::topological_order() const {
  enum : char { New, Open, Done };
  std::vector<char> state(nodes_.size(), New);
  std::vector<Node*> order;
  order.reserve(alive_);
  std::vector<std::pair<Node*, int>> path;  // a node and the input looked at next
  for (Node* start : nodes()) {
    if (state[static_cast<size_t>(start->id())] != New) continue;
    path.emplace_back(start, 0);
    state[static_cast<size_t>(start->id())] = Open;
    while (!path.empty()) {
      auto& [node, next] = path.back();
      if (next == node->in_count()) {
        state[static_cast<size_t>(node->id())] = Done;
        order.push_back(node);
        path.pop_back();
        continue;
      }
      const OutPort source = node->source(next++);
      if (!source) continue;
      char& mark = state[static_cast<size_t>(source.node().id())];
      if (mark == Open) {
        std::string names;
        bool inside = false;
        for (const auto& [member, unused] : path) {
          inside |= member == &source.node();
          if (inside) names += member->name() + " <- ";
        }
        throw Error(Code::CyclicGraph, names + source.node().name(), source.node().place());
      }
      if (mark == New) {
        mark = Open;
        path.emplace_back(&source.node(), 0);
      }
    }
  }
  return order;
}

Node& Graph::constant(Constant value, std::string_view name) {
  Node& node = add_node("Const", name);
  node.add_out_ports(1);
  node.set("value", std::move(value));
  infer_node(node);
  return node;
}

void Graph::clean_up() {
  // What is known and does not hang on a ShapeOf becomes a constant.
  for (Node* node : nodes()) {
    if (node->op() == "Const" || node->op() == "Result" || node->op() == "Parameter") continue;
    for (int i = 0; i < node->out_count(); ++i) {
      const OutPort port = node->out(i);
      Tensor& tensor = port.tensor();
      if (!tensor.value || tensor.from_shape || port.disconnected()) continue;
      Node& known = constant(*tensor.value, node->name());
      port.connection().set_source(known, TensorNames::Merge);
    }
  }
  std::vector<char> needed(nodes_.size(), 0);
  std::vector<Node*> open(results.begin(), results.end());
  for (Node* sink : nodes("Assign")) open.push_back(sink);
  for (Node* node : open) needed[static_cast<size_t>(node->id())] = 1;
  while (!open.empty()) {
    Node* node = open.back();
    open.pop_back();
    for (int i = 0; i < node->in_count(); ++i) {
      const OutPort source = node->source(i);
      if (!source || needed[static_cast<size_t>(source.node().id())]) continue;
      needed[static_cast<size_t>(source.node().id())] = 1;
      open.push_back(&source.node());
    }
  }
  for (Node* node : parameters) needed[static_cast<size_t>(node->id())] = 1;
  for (Node* node : nodes())
    if (!needed[static_cast<size_t>(node->id())]) remove(*node);
  for (Node* node : nodes())
    for (const auto& [key, value] : node->attributes)
      if (const auto* body = std::get_if<std::shared_ptr<Graph>>(&value)) (*body)->clean_up();
}

void for_each_graph(Graph& graph, const std::function<void(Graph&)>& action) {
  action(graph);
  for (Node* node : graph.nodes())
    for (const auto& [key, value] : node->attributes)
      if (const auto* body = std::get_if<std::shared_ptr<Graph>>(&value)) for_each_graph(**body, action);
}

}  // namespace mo

#include "core/graph/node.h"

#include <algorithm>

#include "core/graph/framework_node.h"
#include "core/graph/graph.h"

namespace mo {
namespace {

/// A larger port number is a mistake, not a large node.
constexpr int kMostPorts = 1 << 16;

}  // namespace

void Node::set_name(std::string name) {
  if (name == name_->first) return;
  if (key() == name_->first) rare().key = name_->first;
  NodeName& other = *graph_.names_.try_emplace(std::move(name)).first;
  if (!removed_) {
    --name_->second.bearers;
    ++other.second.bearers;
  }
  name_ = &other;
}

void Node::set_op(std::string op) {
  if (op == *op_) return;
  graph_.leave_boundary(*this);
  definition_known_ = false;
  graph_.set_op(*this, std::move(op));
}

void Node::define(Define own) {
  if (!own && !rare_) return;
  rare().define = std::move(own);
  definition_known_ = false;
}

const OpDef* Node::definition() const {
  if (!definition_known_) {
    const auto& user_ops = graph_.model().user_ops;
    const auto found = user_ops.find(op());
    definition_ = found == user_ops.end() ? graph_.model().operations.find(op()) : found->second;
    if (rare_ && rare_->define) {
      rare_->definition = rare_->define(definition_);
      definition_ = rare_->definition.get();
    }
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
  if (const Ints* whole = attributes.get_if<Ints>(key)) return {whole->begin(), whole->end()};
  const Doubles* v = attributes.get_if<Doubles>(key);
  return v ? *v : otherwise;
}
Strings Node::get_strings(std::string_view key) const {
  const Strings* v = attributes.get_if<Strings>(key);
  return v ? *v : Strings{};
}
ElementType Node::get_type(std::string_view key, ElementType otherwise) const {
  if (const std::string* name = attributes.get_if<std::string>(key)) return element_type(*name).value_or(otherwise);
  const ElementType* v = attributes.get_if<ElementType>(key);
  return v ? *v : otherwise;
}
Graph* Node::get_graph(std::string_view key) const {
  const auto* v = attributes.get_if<std::shared_ptr<Graph>>(key);
  return v ? v->get() : nullptr;
}

Node::Rare& Node::rare() {
  if (!rare_) rare_ = std::make_unique<Rare>();
  return *rare_;
}

// Ports

bool Node::has_in_port(int index) const {
  return index >= 0 && index < in_count() && !(rare_ && rare_->missing_in.count(index));
}
bool Node::has_out_port(int index) const {
  return index >= 0 && index < out_count() && !(rare_ && rare_->missing_out.count(index));
}
InPort Node::in(int index) {
  if (!has_in_port(index)) throw Error(Code::NoSuchPort, msg("input ", index), place());
  return {this, index};
}
OutPort Node::out(int index) {
  if (!has_out_port(index)) throw Error(Code::NoSuchPort, msg("output ", index), place());
  return {this, index};
}
void Node::add_in_ports(int count) {
  if (count > in_count()) inputs_.resize(static_cast<size_t>(count));
}
void Node::add_out_ports(int count) {
  out_count_ = std::max(out_count_, count);
  while (static_cast<int>(more_outputs_.size()) < out_count_ - 1) more_outputs_.push_back(std::make_unique<Output>());
}
void Node::add_in_port(int index) {
  if (index < 0 || index > kMostPorts) throw Error(Code::NoSuchPort, msg("input ", index), place());
  if (has_in_port(index)) throw Error(Code::DuplicatePort, msg("input ", index), place());
  for (int i = in_count(); i < index; ++i) rare().missing_in.insert(i);
  add_in_ports(index + 1);
  if (rare_) rare_->missing_in.erase(index);
}
void Node::add_out_port(int index) {
  if (index < 0 || index > kMostPorts) throw Error(Code::NoSuchPort, msg("output ", index), place());
  if (has_out_port(index)) throw Error(Code::DuplicatePort, msg("output ", index), place());
  for (int i = out_count(); i < index; ++i) rare().missing_out.insert(i);
  add_out_ports(index + 1);
  if (rare_) rare_->missing_out.erase(index);
}
void Node::delete_in_port(int index) {
  in(index).disconnect();
  rare().missing_in.insert(index);
  while (in_count() > 0 && !has_in_port(in_count() - 1)) truncate_in_ports(in_count() - 1);
}
void Node::delete_out_port(int index) {
  const OutPort port = out(index);
  port.disconnect();
  port.tensor() = {};
  rare().missing_out.insert(index);
  while (out_count() > 0 && !has_out_port(out_count() - 1)) truncate_out_ports(out_count() - 1);
}
void Node::truncate_in_ports(int count) {
  for (int i = count; i < in_count(); ++i) {
    InPort(this, i).disconnect();
    if (rare_) rare_->missing_in.erase(i);
  }
  if (count < in_count()) inputs_.resize(static_cast<size_t>(count));
}
void Node::truncate_out_ports(int count) {
  if (count >= out_count_) return;
  for (int i = count; i < out_count_; ++i) {
    OutPort(this, i).disconnect();
    if (rare_) rare_->missing_out.erase(i);
  }
  out_count_ = std::max(count, 0);
  more_outputs_.resize(static_cast<size_t>(std::max(out_count_ - 1, 0)));
  if (out_count_ == 0) first_output_ = {};
}
InPort Node::control_in(int index) {
  if (index < 0 || index > kMostPorts) throw Error(Code::NoSuchPort, msg("control-flow input ", index), place());
  auto& ports = rare().control_in;
  if (ports.size() <= static_cast<size_t>(index)) ports.resize(static_cast<size_t>(index) + 1);
  return {this, index, PortKind::ControlFlow};
}
OutPort Node::control_out(int index) {
  if (index < 0 || index > kMostPorts) throw Error(Code::NoSuchPort, msg("control-flow output ", index), place());
  auto& ports = rare().control_out;
  if (ports.size() <= static_cast<size_t>(index)) ports.resize(static_cast<size_t>(index) + 1);
  return {this, index, PortKind::ControlFlow};
}
std::vector<Node*> Node::control_sources() const {
  std::vector<Node*> out;
  if (!rare_) return out;
  for (const OutPort& source : rare_->control_in)
    if (source) out.push_back(&source.node());
  return out;
}

void Node::inputs_changed() {
  if (graph_.model().stage >= Stage::Middle) require_shape_inference();
}

void Node::require_shape_inference() {
  for (Node* node = this; node && !node->needs_shape_inference_; node = node->graph_.owner())
    node->needs_shape_inference_ = node->graph_.inference_required_ = true;
}

bool Node::has_in(int index) const { return index >= 0 && index < in_count() && inputs_[static_cast<size_t>(index)]; }
bool Node::is_read(int first) {
  for (int i = first; i < out_count(); ++i)
    if (!OutPort(this, i).disconnected()) return true;
  return false;
}
OutPort Node::source(int index) const { return has_in(index) ? inputs_[static_cast<size_t>(index)] : OutPort(); }
Place Node::place() const {
  Place place;
  if (pb) place = graph_.files().place(pb->file, pb->offset);
  place.node = name();
  place.op = pb ? pb->op : op();
  if (pb && pb->line != 0) place.offset = -1, place.line = pb->line, place.column = pb->column;
  return place;
}

void require_input(const Node& node, int index) {
  if (!node.has_in(index)) throw Error(Code::MissingInput, msg("input ", index), node.place());
}

void place_at(Error& error, const Node& node) {
  Place& place = error.place();
  const bool known = node.graph().has_name(place.node) && !place.node.starts_with(node.name() + "/");
  if (!place.node.empty() && !known) place = {.tensor = place.tensor};
  error.placed(node.place());
}

}  // namespace mo

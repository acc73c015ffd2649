#include "core/script/state.h"

#include <cmath>

#include "core/graph/framework_node.h"

namespace mo::js {

ExtensionState& state() {
  static ExtensionState only;
  return only;
}

void ExtensionState::clear() { *this = ExtensionState(); }

int ExtensionState::number_of(Graph& graph) {
  const auto [entry, fresh] = numbers_.emplace(&graph, static_cast<int>(graphs_.size()));
  if (fresh) graphs_.push_back({&graph, graph.weak_from_this().lock()});
  return entry->second;
}

void ExtensionState::forget(const Graph& graph) {
  for (Held& held : graphs_) {
    if (!held.graph || &held.graph->model() != &graph.model()) continue;
    numbers_.erase(held.graph);
    held = {};
  }
  framework_node_ = nullptr;
}

Model& ExtensionState::model() const {
  for (const Held& held : graphs_)
    if (held.graph) return held.graph->model();
  return graph(-1).model();
}

Graph& ExtensionState::graph(int number) const {
  if (number < 0 || number >= static_cast<int>(graphs_.size()) || !graphs_[static_cast<size_t>(number)].graph)
    throw Error(Code::NoSuchNode, "the conversion that the graph belongs to is over");
  return *graphs_[static_cast<size_t>(number)].graph;
}

Node& ExtensionState::node(int graph_number, int id) const {
  Node& node = graph(graph_number).node(id);
  if (node.removed()) throw Error(Code::RemovedNode, node.name(), {.node = node.name()});
  return node;
}

Tensor& ExtensionState::tensor(int graph_number, int id, int output) const {
  return node(graph_number, id).out(output).tensor();
}

namespace {
/// Splits a joined number; an invalid one gives a node that does not exist.
std::pair<int, int> split(double joined) {
  if (!(joined >= 0 && joined < kPorts * INT32_MAX)) return {-1, 0};
  const double node = std::floor(joined / kPorts);
  return {static_cast<int>(node), static_cast<int>(joined - node * kPorts)};
}
}  // namespace

OutPort ExtensionState::out_port(int graph_number, double joined, bool control) const {
  const auto [id, index] = split(joined);
  Node& owner = node(graph_number, id);
  return control ? owner.control_out(index) : owner.out(index);
}

InPort ExtensionState::in_port(int graph_number, double joined, bool control) const {
  const auto [id, index] = split(joined);
  Node& owner = node(graph_number, id);
  return control ? owner.control_in(index) : owner.in(index);
}

std::vector<InPort> ExtensionState::in_ports(int graph_number, const val& joined) const {
  std::vector<InPort> ports;
  for (const double port : list_of<double>(joined)) ports.push_back(in_port(graph_number, port));
  return ports;
}

int ExtensionState::text_number(std::string_view text) {
  if (const auto found = text_numbers_.find(text); found != text_numbers_.end()) return found->second;
  const int number = static_cast<int>(texts_.size());
  texts_.emplace_back(text);
  text_numbers_.emplace(texts_.back(), number);
  return number;
}

const std::string& ExtensionState::text(int number) const { return texts_.at(static_cast<size_t>(number)); }

int ExtensionState::hold(const Constant& constant) {
  constants_.push_back(constant);
  return static_cast<int>(constants_.size()) - 1;
}

const Constant& ExtensionState::constant(int number) const {
  if (number < 0 || number >= static_cast<int>(constants_.size()))
    throw Error(Code::BadValue, "the tensor belongs to a conversion that is over");
  return constants_[static_cast<size_t>(number)];
}

const FrameworkMessage& ExtensionState::framework_message(const Node& node) {
  if (framework_node_ != &node) {
    framework_message_ = node.pb->format->read(node);
    framework_node_ = &node;
  }
  return framework_message_;
}

Stage ExtensionState::stage(int graph_number) const {
  const Stage stage = graph(graph_number).model().stage;
  return inferring > 0 ? std::max(stage, Stage::Middle) : stage;
}

}  // namespace mo::js

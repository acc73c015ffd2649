#include "wasm/extension_session.h"

#include <cmath>

namespace mo::js {

Session& session() {
  static Session only;
  return only;
}

void remember(const Error& error) { session().error = error.message(); }

void Session::clear() { *this = Session(); }

int Session::number_of(Graph& graph) {
  const auto [entry, fresh] = numbers_.emplace(&graph, static_cast<int>(graphs_.size()));
  if (fresh) graphs_.push_back({&graph, graph.weak_from_this().lock()});
  return entry->second;
}

Graph& Session::graph(int number) const {
  if (number < 0 || number >= static_cast<int>(graphs_.size()))
    throw Error(Code::NoSuchNode, "the conversion that the graph belongs to is over");
  return *graphs_[static_cast<size_t>(number)].graph;
}

Node& Session::node(int graph_number, int id) const {
  Node& node = graph(graph_number).node(id);
  if (node.removed()) throw Error(Code::RemovedNode, node.name(), {.node = node.name()});
  return node;
}

Tensor& Session::tensor(int graph_number, int id, int output) const {
  return node(graph_number, id).out(output).tensor();
}

namespace {
/// Splits a joined number; anything that is none gives a node that does not exist.
std::pair<int, int> split(double joined) {
  if (!(joined >= 0 && joined < kPorts * INT32_MAX)) return {-1, 0};
  const double node = std::floor(joined / kPorts);
  return {static_cast<int>(node), static_cast<int>(joined - node * kPorts)};
}
}  // namespace

OutPort Session::out_port(int graph_number, double joined, bool control) const {
  const std::pair<int, int> place = split(joined);
  Node& owner = node(graph_number, place.first);
  return control ? owner.control_out(place.second) : owner.out(place.second);
}

InPort Session::in_port(int graph_number, double joined, bool control) const {
  const std::pair<int, int> place = split(joined);
  Node& owner = node(graph_number, place.first);
  return control ? owner.control_in(place.second) : owner.in(place.second);
}

std::vector<InPort> Session::in_ports(int graph_number, const val& joined) const {
  std::vector<InPort> ports;
  for (const double port : emscripten::vecFromJSArray<double>(joined)) ports.push_back(in_port(graph_number, port));
  return ports;
}

int Session::text_number(std::string_view text) {
  if (const auto found = text_numbers_.find(text); found != text_numbers_.end()) return found->second;
  const int number = static_cast<int>(texts_.size());
  texts_.emplace_back(text);
  text_numbers_.emplace(texts_.back(), number);
  return number;
}

const std::string& Session::text(int number) const { return texts_.at(static_cast<size_t>(number)); }

int Session::hold(const Constant& constant) {
  constants_.push_back(constant);
  return static_cast<int>(constants_.size()) - 1;
}

const Constant& Session::constant(int number) const {
  if (number < 0 || number >= static_cast<int>(constants_.size()))
    throw Error(Code::BadValue, "the tensor belongs to a conversion that is over");
  return constants_[static_cast<size_t>(number)];
}

const FrameworkMessage& Session::framework_message(const Node& node) {
  if (framework_node_ != &node) {
    framework_message_ = node.pb->format->read(node);
    framework_node_ = &node;
  }
  return framework_message_;
}

Stage Session::stage(int graph_number) const {
  const Stage stage = graph(graph_number).model().stage;
  return inferring > 0 ? std::max(stage, Stage::Middle) : stage;
}

val to_array(const std::vector<std::string>& texts) {
  val out = val::array();
  for (const std::string& text : texts) out.call<void>("push", text);
  return out;
}

val to_numbers(const std::vector<int>& numbers) {
  return val(emscripten::typed_memory_view(numbers.size(), numbers.data())).call<val>("slice");
}

val to_numbers(const std::vector<double>& numbers) {
  return val(emscripten::typed_memory_view(numbers.size(), numbers.data())).call<val>("slice");
}

}  // namespace mo::js

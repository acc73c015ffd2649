#include "core/front/paddle/load/graph_loader.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "core/base/text.h"
#include "core/build/builder.h"
#include "core/front/paddle/load/framework_node.h"
#include "core/front/paddle/load/types.h"
#include "core/graph/framework_node.h"

namespace mo::paddle {
namespace {

constexpr size_t kMostPorts = 1 << 16;

std::string first_output(const OperatorDesc& desc) {
  for (const Slot& slot : desc.outputs)
    if (!slot.arguments.empty()) return slot.arguments.front();
  return desc.type;
}

}  // namespace

GraphLoader::GraphLoader(const LoadRequest& request, Program& program, const Parameters* parameters)
    : graph_(request.graph),
      diagnostics_(request.diagnostics),
      program_(program),
      parameters_(parameters),
      writes_(program.block_count()),
      active_(program.block_count()) {}

void GraphLoader::load() {
  if (program_.block_count() == 0) return;
  Scope scope;
  scope.graph = &graph_;
  load_block(scope);
  if (!diagnostics_.has_errors()) finish(scope);
}

void GraphLoader::load_block(Scope& scope) {
  if (std::exchange(active_[scope.block], 1))
    throw Error(Code::RecursiveFunction, msg("block ", scope.block), program_.block_place(scope.block));
  for (size_t i = 0; i < program_.operator_count(scope.block); ++i) {
    graph_.model().beat();
    add_operator(program_.operation(scope.block, i), scope);
  }
  active_[scope.block] = 0;
}

void GraphLoader::add_operator(const OperatorDesc& desc, Scope& scope) {
  try {
    carry_out(desc, scope);
  } catch (Error& error) {
    error.placed({.node = first_output(desc), .op = desc.type}).placed(program_.place(desc.place));
    if (!error.is_reported()) diagnostics_.add(error);
    for (const Slot& slot : desc.outputs)
      for (const std::string& name : slot.arguments) scope.variables[name] = {.failed = true};
  }
}

void GraphLoader::carry_out(const OperatorDesc& desc, Scope& scope) {
  if (desc.fault) throw Error(*desc.fault);
  if (desc.type == "feed") return add_feed(desc, scope);
  if (desc.type == "fetch") return add_fetch(desc, scope);
  if (is_one_of(desc.type, {"assert", "delete_var"})) return;
  if (!desc.regions.empty() || desc.type == "yield") return add_regions(desc, scope);
  if (desc.type == "while") return add_while(desc, scope);
  if (desc.type == "conditional_block" || desc.type == "conditional_block_infer")
    return add_conditional_block(desc, scope);
  if (desc.type == "select_input") return add_select(desc, scope);
  if (desc.type == "recurrent") return add_recurrent(desc, scope);
  add_node(desc, scope);
}

Node& GraphLoader::new_node(const OperatorDesc& desc, Scope& scope, const std::string& name) {
  if (scope.outer) {
    expansion_.add_node();
    expansion_.add_bytes(name.size() + held_bytes(desc.attributes));
  }
  Node& node = scope.graph->add_node(desc.type, name);
  node.attributes = desc.attributes;
  describe(node, desc);
  return node;
}

void GraphLoader::describe(Node& node, const OperatorDesc& desc) const {
  const auto version = program_.versions.find(desc.type);
  const OperatorPlace& place = desc.place;
  FrameworkNode origin{desc.type,       {},           version == program_.versions.end() ? 0 : version->second,
                       program_.file(), place.offset, place.size,
                       place.line,      place.column, &program_.format()};
  if (desc.elsewhere.begin() != desc.elsewhere.end())
    origin.elsewhere = std::make_shared<const Attributes>(desc.elsewhere);
  node.pb = std::make_shared<FrameworkNode>(std::move(origin));
}

/// Input and output ports are the arguments of all slots, in the order of the program. Attributes say which slot each
/// is of.
void GraphLoader::add_node(const OperatorDesc& desc, Scope& scope) {
  std::vector<OutPort> sources;
  Strings input_slots, output_slots;
  const auto add_input = [&](const std::string& slot, OutPort port) {
    if (sources.size() == kMostPorts) throw Error(Code::TooDeep, msg("more than ", kMostPorts, " inputs"));
    input_slots.push_back(slot);
    sources.push_back(port);
  };
  for (const Slot& slot : desc.inputs)
    for (const std::string& name : slot.arguments) add_input(slot.name, read(name, scope));
  // A list is written element by element.
  if (desc.type == "write_to_array") {
    const std::string& list = desc.only_output("Out");
    const OutPort before = find(list, scope);
    add_input("Out", before ? before : placeholder(list, scope));
  }
  // What training has found stays in the variable that it was written to.
  if (desc.type == "fake_channel_wise_quantize_abs_max") {
    const std::string& scale = desc.only_output("OutScale");
    if (const VariableDesc* variable = declared(scale, scope); variable && variable->is_persistable)
      add_input("OutScale", read(scale, scope));
  }
  for (const Slot& slot : desc.outputs)
    for (const std::string& name : slot.arguments) require_short_name(name);
  Node& node = new_node(desc, scope, first_output(desc));
  node.add_in_ports(static_cast<int>(sources.size()));
  for (size_t i = 0; i < sources.size(); ++i) node.in(static_cast<int>(i)).connect(sources[i]);
  for (const Slot& slot : desc.outputs) {
    for (const std::string& name : slot.arguments) {
      const int port = node.out_count();
      if (static_cast<size_t>(port) == kMostPorts)
        throw Error(Code::TooDeep, msg("more than ", kMostPorts, " outputs"));
      output_slots.push_back(slot.name);
      node.add_out_ports(port + 1);
      if (writes(slot.name, name)) write(name, node.out(port), scope);
    }
  }
  if (has_complex(desc, scope)) node.set("complex", true);
  node.set("input_slots", std::move(input_slots));
  node.set("output_slots", std::move(output_slots));
  // Before 2.5 a result of one element had one dimension, and only its declaration says so.
  const VariableDesc* result = declared(first_output(desc), scope);
  if (result && result->shape == PartialShape(Shape{1})) node.set("is_list_of_one", true);
  if (desc.type == "slice" && is_list(desc.only_input("Input"), scope)) node.set("is_of_list", true);
}

bool GraphLoader::has_complex(const OperatorDesc& desc, const Scope& scope) const {
  for (const auto* slots : {&desc.inputs, &desc.outputs})
    for (const Slot& slot : *slots)
      for (const std::string& name : slot.arguments)
        if (const VariableDesc* variable = declared(name, scope); variable && is_complex_type(variable->data_type))
          return true;
  return false;
}

Node& GraphLoader::add_parameter(const std::string& name, const VariableDesc& desc, Scope& scope) {
  require_short_name(name);
  Node& node = graph_.add_node("Parameter", name);
  node.add_out_ports(1);
  node.set("shape", desc.shape);
  node.set("data_type", required_type(desc.data_type));
  write(name, node.out(0), scope);
  return node;
}

void GraphLoader::add_feed(const OperatorDesc& desc, Scope& scope) {
  const std::string& name = desc.only_output("Out");
  const VariableDesc* variable = declared(name, scope);
  if (!variable) throw Error(Code::UnknownTensor, msg(printable(name), " is not declared"));
  if (scope.outer) throw Error(Code::UnsupportedForm, "an input in a block");
  const int64_t* column = desc.attributes.get_if<int64_t>("col");
  Node& node = add_parameter(name, *variable, scope);
  describe(node, desc);
  feeds_.push_back({column ? *column : 0, &node});
}

void GraphLoader::add_fetch(const OperatorDesc& desc, Scope& scope) {
  if (scope.outer) throw Error(Code::UnsupportedForm, "an output in a block");
  const std::string& name = desc.only_input("X");
  const int64_t* column = desc.attributes.get_if<int64_t>("col");
  // In PIR an output has a name besides its variable's.
  const std::string* own = desc.attributes.get_if<std::string>("name");
  if (own) require_short_name(*own);
  const OutPort port = read(name, scope);
  if (own) port.tensor().add_name(*own);
  add_result(port, own ? *own : name, column ? *column : 0);
}

void GraphLoader::add_result(OutPort port, const std::string& name, int64_t column) {
  Node& result = graph_.add_node("Result", name + "/sink_port_0");
  result.add_in_ports(1);
  result.in(0).connect(port);
  fetches_.push_back({column, &result});
}

/// A program that nobody prepared for inference: what nothing reads is an output.
void GraphLoader::add_unread_results(const Scope& scope) {
  for (const std::string& name : scope.order) {
    const OutPort port = scope.variables.at(name).port;
    const bool is_computed = port && !is_one_of(port.node().op(), {"Const", "Parameter"});
    if (is_computed && port.disconnected() && !port.node().is_read()) add_result(port, name, 0);
  }
}

/// Inputs and outputs in the order of their columns, and names: of tensors of one name the last has it, but an input
/// keeps its own, which a loop may write.
void GraphLoader::finish(const Scope& scope) {
  if (fetches_.empty()) add_unread_results(scope);
  const auto reorder = [](std::vector<Boundary>& columns, std::vector<Node*>& nodes) {
    std::unordered_map<const Node*, int64_t> column_of;
    for (const Boundary& boundary : columns) column_of.emplace(boundary.node, boundary.column);
    std::vector<std::pair<int64_t, Node*>> sorted;
    for (Node* node : nodes) {
      const auto found = column_of.find(node);
      sorted.emplace_back(found == column_of.end() ? INT64_MAX : found->second, node);
    }
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::transform(sorted.begin(), sorted.end(), nodes.begin(), [](const auto& pair) { return pair.second; });
  };
  reorder(feeds_, graph_.parameters);
  reorder(fetches_, graph_.results);
  std::set<std::string> fed;
  for (Node* parameter : graph_.parameters) {
    parameter->out(0).tensor().add_name(parameter->name());
    fed.insert(parameter->name());
  }
  if (!program_.has_names) return;
  for (const std::string& name : scope.order)
    if (const OutPort port = scope.variables.at(name).port; port && &port.node().graph() == &graph_ && !fed.count(name))
      port.tensor().add_name(name);
}

const VariableDesc* GraphLoader::declared(const std::string& name, const Scope& scope) const {
  for (const Scope* at = &scope; at; at = at->outer) {
    const Declarations& here = program_.variables[at->block];
    if (const auto found = here.find(name); found != here.end()) return &found->second;
  }
  return nullptr;
}

bool GraphLoader::is_list(const std::string& name, const Scope& scope) const {
  const VariableDesc* variable = declared(name, scope);
  return variable && variable->kind == static_cast<int64_t>(VariableKind::TensorArray);
}

void GraphLoader::write(const std::string& name, OutPort port, Scope& scope) {
  const auto [at, is_new] = scope.variables.insert_or_assign(name, Variable{.port = port});
  if (is_new) scope.order.push_back(name);
}

OutPort GraphLoader::read(const std::string& name, Scope& scope) {
  if (const OutPort port = find(name, scope)) return port;
  const VariableDesc* variable = declared(name, scope);
  if (is_list(name, scope)) return placeholder(name, scope);
  if (variable && variable->is_persistable && !(parameters_ && parameters_->find(name))) {
    without_value_.push_back(name);
    throw Error::reported();
  }
  throw Error(Code::UnknownTensor, printable(name));
}

OutPort GraphLoader::find(const std::string& name, Scope& scope) {
  if (const auto found = scope.variables.find(name); found != scope.variables.end()) {
    if (found->second.failed) throw Error::reported();
    if (found->second.branch < 0) return found->second.port;
    if (conditional_blocks_[static_cast<size_t>(found->second.branch)].is_loading) return {};
    const OutPort port = value_of(found->second.branch, name, scope);
    write(name, port, scope);
    return port;
  }
  if (const auto found = scope.given.find(name); found != scope.given.end()) return capture(found->second, name, scope);
  if (!scope.outer) return stored(name, scope);
  const OutPort outside = find(name, *scope.outer);
  return outside ? capture(outside, name, scope) : OutPort();
}

/// A parameter, or an input without an operator that feeds it.
OutPort GraphLoader::stored(const std::string& name, Scope& scope) {
  if (const Constant* value = parameters_ ? parameters_->find(name) : nullptr) {
    write(name, graph_.constant(*value, name).out(0), scope);
    return scope.variables[name].port;
  }
  const VariableDesc* variable = declared(name, scope);
  if (!variable || !variable->is_fed) return {};
  return add_parameter(name, *variable, scope).out(0);
}

OutPort GraphLoader::capture(OutPort port, const std::string& name, Scope& scope) {
  if (&port.node().graph() == scope.graph) return port;
  if (&port.node().graph() != scope.outer->graph) port = capture(port, name, *scope.outer);
  OutPort& own = scope.own[{port.node().id(), port.index()}];
  if (own) return own;
  // The body has a constant of its own, with the same place.
  if (port.node().op() == "Const") return own = scope.graph->constant(*port.node().get_constant("value"), name).out(0);
  Node& parameter = scope.graph->add_node("Parameter", name);
  parameter.add_out_ports(1);
  expansion_.add_ports(1);
  scope.captured.emplace_back(port, &parameter);
  return own = parameter.out(0);
}

OutPort GraphLoader::placeholder(const std::string& name, Scope& scope) {
  const VariableDesc* variable = declared(name, scope);
  if (!variable) throw Error(Code::UnknownTensor, msg(printable(name), " is not declared"));
  Builder b(*scope.graph, name);
  if (is_list(name, scope))
    return b.op("TensorListReserve",
                {b.constant(make_scalar(ElementType::I32, -1)), b.constant(make_scalar(ElementType::I32, 0))},
                {{"element_dtype", required_type(variable->data_type)}});
  Shape shape;
  for (const Dimension& size : variable->shape.has_rank() ? variable->shape.dimensions() : std::vector<Dimension>())
    shape.push_back(size.is_exact() ? size.min : 1);
  return b.constant(make_splat(required_type(variable->data_type), shape, 0));
}

}  // namespace mo::paddle

#include "core/front/tflite/load/graph_loader.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/front/tflite/load/framework_node.h"
#include "core/front/tflite/load/options.h"
#include "core/graph/framework_node.h"

namespace mo::tflite {
namespace {

constexpr size_t kDeepestCall = 64, kMostOperators = 1 << 20;

/// Operators for which quantised numbers are just integers.
bool reads_integers(std::string_view op) { return op == "CAST" || op == "BITCAST"; }

}  // namespace

void GraphLoader::load(uint64_t subgraph) {
  graph_.model().layout = DataLayout::Nhwc;
  Scope scope = open(graph_, static_cast<int64_t>(subgraph), {});
  for (const int64_t tensor : scope.subgraph.inputs) add_parameter(scope, static_cast<size_t>(tensor));
  load_operators(scope);
  if (diagnostics_.has_errors()) return;
  for (const int64_t tensor : scope.subgraph.outputs) add_result(scope, static_cast<size_t>(tensor));
  assign_variables();
  add_names(scope, subgraph);
}

/// Throws CorruptFile for a subgraph that does not exist, RecursiveFunction, TooDeep.
GraphLoader::Scope GraphLoader::open(Graph& graph, int64_t index, std::string prefix) {
  const std::vector<SubgraphRecord>& all = model_.subgraphs();
  if (index < 0 || static_cast<size_t>(index) >= all.size())
    throw Error(Code::CorruptFile, msg("subgraph ", index, " of ", all.size()));
  if (std::find(active_.begin(), active_.end(), index) != active_.end())
    throw Error(Code::RecursiveFunction, msg("subgraph ", index));
  if (active_.size() == kDeepestCall) throw Error(Code::TooDeep, msg("more than ", kDeepestCall, " calls"));
  const SubgraphRecord& subgraph = all[static_cast<size_t>(index)];
  Scope scope{graph, subgraph, std::move(prefix)};
  active_.push_back(index);
  scope.active.reset(&active_);
  scope.values.resize(subgraph.tensors.size());
  return scope;
}

void GraphLoader::load_operators(Scope& scope) {
  for (uint64_t i = 0; i < scope.subgraph.operators.count; ++i) {
    const OperatorRecord from = model_.operator_at(scope.subgraph, i);
    if (++loaded_ > kMostOperators)
      throw Error(Code::TooDeep, msg("calls of more than ", kMostOperators, " operators"), place_of(scope, from));
    scope.graph.model().beat();
    try {
      load_operator(scope, from);
    } catch (Error& error) {
      error.placed(place_of(scope, from));
      if (error.code() == Code::TooDeep) throw;  // what follows would be too much, too
      diagnostics_.add(error);
      for (const int64_t tensor : from.outputs) scope.values[static_cast<size_t>(tensor)].failed = true;
    }
  }
}

void GraphLoader::load_operator(Scope& scope, const OperatorRecord& from) {
  const int type = from.outputs.empty() ? 0 : scope.subgraph.tensors[static_cast<size_t>(from.outputs[0])].type;
  Attributes options = read_options(from, type);
  if (!load_by_itself(scope, from, options)) add_node(scope, from, std::move(options));
}

bool GraphLoader::load_by_itself(Scope& scope, const OperatorRecord& from, const Attributes& options) {
  const auto subgraph = [&](const char* option) {
    const int64_t* index = options.get_if<int64_t>(option);
    return index ? *index : -1;
  };
  if (from.name == "CALL") {
    inline_call(scope, from, subgraph("subgraph"));
  } else if (from.name == "STABLEHLO_COMPOSITE") {
    inline_call(scope, from, subgraph("decomposition_subgraph_index"));
  } else if (from.name == "CALL_ONCE") {
    Scope initial = open(scope.graph, subgraph("init_subgraph_index"), scope.prefix);
    initial.is_initial = true;
    load_operators(initial);
  } else {
    return load_variable(scope, from, options);
  }
  return true;
}

void GraphLoader::add_node(Scope& scope, const OperatorRecord& from, Attributes options) {
  const std::vector<TensorRecord>& tensors = scope.subgraph.tensors;
  std::vector<OutPort> sources;
  std::vector<size_t> states;
  for (const int64_t input : from.inputs) {
    sources.push_back(input < 0 ? OutPort() : read(scope, input, reads_integers(from.name)));
    if (input >= 0 && is_state(scope, static_cast<size_t>(input))) states.push_back(static_cast<size_t>(input));
  }
  const std::string name = name_of(scope, from);
  if (active_.size() > 1)
    expansion_.add_bytes(name.size() + 2 * from.outputs.size() * scope.prefix.size() + held_bytes(options), 1);
  Node& node = scope.graph.add_node(from.name, name);
  node.attributes = std::move(options);
  // Options often leave out the type of the input.
  if (!from.inputs.empty() && from.inputs[0] >= 0 && tensors[static_cast<size_t>(from.inputs[0])].is_complex())
    node.set("is_complex", true);
  FrameworkNode origin{from.name, {}, from.version, model_.file_id(), from.table.offset()};
  origin.format = &kNodeFormat;
  node.pb = std::make_shared<FrameworkNode>(std::move(origin));
  node.add_in_ports(static_cast<int>(sources.size()));
  for (size_t i = 0; i < sources.size(); ++i)
    if (sources[i]) node.in(static_cast<int>(i)).connect(sources[i]);
  // The next values of states are outputs behind those of the operator.
  const size_t outputs = from.outputs.size();
  node.add_out_ports(static_cast<int>(outputs + states.size()));
  for (size_t i = 0; i < outputs; ++i) define(scope, from, i, node.out(static_cast<int>(i)));
  for (size_t i = 0; i < states.size(); ++i) {
    Variable& state = state_of(scope, states[i]);
    state.current = node.out(static_cast<int>(outputs + i));
    state.is_assigned = true;
  }
  add_bodies(scope, node, from);
}

Place GraphLoader::place_of(const Scope& scope, const OperatorRecord& from) const {
  Place place = model_.files().place(model_.file_id(), from.table.offset());
  place.node = name_of(scope, from);
  place.op = from.name;
  return place;
}

std::string GraphLoader::name_of(const Scope& scope, const OperatorRecord& from) const {
  if (from.outputs.empty()) return scope.prefix + from.name;
  const std::string& tensor = scope.subgraph.tensors[static_cast<size_t>(from.outputs[0])].name;
  return scope.prefix + (tensor.empty() ? from.name : tensor);
}

}  // namespace mo::tflite

// GraphLoader's part for operators with sub-graphs: _foreach becomes a TensorIterator, _while_loop a Loop, _cond an If.
// Attributes say which input of a sub-graph each input of the operator is.

#include "core/base/text.h"
#include "core/build/builder.h"
#include "core/build/loop_builder.h"
#include "core/front/mxnet/extract/extractor.h"
#include "core/front/mxnet/load/graph_loader.h"
#include "core/graph/body.h"

namespace mo::mxnet {
namespace {

constexpr int kDeepest = 32;

/// Numbers of inputs. Throws BadAttribute for one that there is not.
std::vector<size_t> places(const Node& node, std::string_view key, size_t count) {
  std::vector<size_t> out;
  for (const int64_t place : ints_of(node, key)) {
    if (place < 0 || static_cast<size_t>(place) >= count)
      throw Error(Code::BadAttribute, msg(key, ": there is no input ", place));
    out.push_back(static_cast<size_t>(place));
  }
  return out;
}

const Symbol& subgraph(const SymbolNode& from, size_t index, size_t count) {
  if (from.subgraphs.size() != count)
    throw Error(Code::BadAttribute, msg(from.subgraphs.size(), " sub-graphs, want ", count));
  return from.subgraphs[index];
}

Node& add_parameter(Graph& body, const std::string& name, size_t input) {
  Node& node = body.add_node("Parameter", name);
  node.add_out_ports(1);
  node.set("external_port_id", static_cast<int64_t>(input));
  return node;
}

Node& add_result(Graph& body, OutPort port, int64_t output) {
  Node& node = body.add_node("Result", cat(port.node().name(), "/sink_port_0"));
  node.add_in_ports(1);
  node.in(0).connect(port);
  if (output >= 0) node.set("external_port_id", output);
  return node;
}

void require_results(const std::vector<OutPort>& results, size_t wanted) {
  if (results.size() != wanted)
    throw Error(Code::BadAttribute, msg("a sub-graph with ", results.size(), " outputs, want ", wanted));
}

/// The results of a step: the first are rows of the operator's outputs, the others states of the next step.
void add_step_results(Graph& body, const std::vector<OutPort>& results, size_t outputs) {
  for (size_t i = 0; i < results.size(); ++i) {
    const auto output = static_cast<int64_t>(i);
    if (i < outputs) {
      const OutPort row = Builder(body, results[i].node().name()).unsqueeze(results[i], {0});
      set_slices(add_result(body, row, output), 0, false);
    } else {
      add_result(body, results[i], output).set("internal_layer_id", static_cast<int64_t>(i - outputs));
    }
  }
}

OutPort truth(Graph& graph, OutPort condition, const std::string& name) {
  return Builder(graph, name).op("Truth", {condition}, {{"lone", true}});
}

/// The body of a node, and what it reads from outside; constants it has itself.
class Body {
 public:
  Body(Node& owner, const char* attribute) : graph_(std::make_shared<Graph>(owner.graph().shared_model(), &owner)) {
    owner.set(attribute, graph_);
  }

  Graph& graph() { return *graph_; }
  const std::vector<OutPort>& outside() const { return outside_; }
  /// A tensor that is the same in all steps. The owner's inputs begin with `before` others.
  OutPort invariant(OutPort port, size_t before) {
    Node*& known = known_[{port.node().id(), port.index()}];
    if (!known && port.node().op() == "Const") {
      known = &graph_->constant(*port.node().get_constant("value"), port.node().name());
    } else if (!known) {
      known = &add_parameter(*graph_, port.node().name(), before + outside_.size());
      outside_.push_back(port);
    }
    return known->out(0);
  }

 private:
  std::shared_ptr<Graph> graph_;
  std::map<std::pair<int, int>, Node*> known_;
  std::vector<OutPort> outside_;
};

void connect(Node& node, const std::vector<OutPort>& inputs, size_t outputs) {
  node.add_in_ports(static_cast<int>(inputs.size()));
  for (size_t i = 0; i < inputs.size(); ++i) node.in(static_cast<int>(i)).connect(inputs[i]);
  node.add_out_ports(static_cast<int>(outputs));
}

/// `rows`, and zeros behind them, `count` in all.
OutPort filled_up(Builder& b, OutPort rows, int64_t count) {
  const OutPort shape = b.shape_of(rows), axis = b.i64({0});
  const OutPort missing = b.op("Sub", {b.i64({count}), b.gather(shape, axis, 0)});
  const OutPort row =
      b.op("AttributedSlice", {shape}, {{"starts", Ints{1}}, {"ends", Ints{INT32_MAX}}, {"axes", Ints{0}}});
  const OutPort sizes = b.concat({missing, row}, 0);
  const OutPort zeros = b.op("Broadcast", {b.scalar_like(rows, 0), sizes}, {{"mode", "numpy"}});
  return b.op("Reshape", {b.concat({rows, zeros}, 0), b.concat({b.i64({count}), row}, 0)});  // says how many
}

}  // namespace

GraphLoader::Ports GraphLoader::inlined(const Symbol& symbol, Graph& graph, const Ports& variables, int depth) {
  if (depth > kDeepest) throw Error(Code::TooDeep, msg("more than ", kDeepest, " sub-graphs in each other"));
  const std::vector<uint32_t> numbers = symbol.variables();
  if (numbers.size() != variables.size())
    throw Error(Code::BadAttribute, msg("a sub-graph of ", numbers.size(), " inputs gets ", variables.size()));
  Scope scope{symbol, graph, depth};
  scope.nodes.resize(symbol.nodes.size());
  scope.variables.resize(symbol.nodes.size());
  scope.failed.resize(symbol.nodes.size());
  for (size_t i = 0; i < numbers.size(); ++i) scope.variables[numbers[i]] = variables[i];
  for (uint32_t i = 0; i < symbol.nodes.size(); ++i)
    if (!symbol.nodes[i].is_variable()) add_node(scope, i);
  if (diagnostics_.has_errors()) throw Error::reported();
  Ports out;
  for (const Entry& head : symbol.heads) out.push_back(read(scope, head));
  return out;
}

/// The sub-graph calls its inputs as the network that it was cut out of: "weight0" for output 0 of a node. Where these
/// names are gone they are in order.
Node& GraphLoader::add_fused_network(Scope& scope, const SymbolNode& from, const Ports& inputs) {
  const Symbol& network = from.subgraphs[0];
  const std::vector<uint32_t> numbers = network.variables();
  if (numbers.size() != inputs.size())
    throw Error(Code::BadAttribute, msg("a sub-graph of ", numbers.size(), " inputs gets ", inputs.size()));
  std::map<std::string, size_t> by_name;
  for (size_t i = 0; i < inputs.size(); ++i)
    by_name.emplace(cat(scope.symbol.node_of(from.inputs[i]).name, from.inputs[i].output), i);
  Ports variables(numbers.size());
  std::vector<char> taken(inputs.size());
  for (size_t i = 0; i < numbers.size(); ++i) {
    const auto found = by_name.find(network.nodes[numbers[i]].name);
    if (found == by_name.end() || taken[found->second]) continue;
    variables[i] = inputs[found->second];
    taken[found->second] = 1;
  }
  size_t next = 0;
  for (OutPort& variable : variables) {
    if (variable) continue;
    while (taken[next]) ++next;
    variable = inputs[next++];
  }
  const Ports results = inlined(network, scope.graph, variables, scope.depth + 1);
  const auto count = static_cast<int>(results.size());
  return Builder(scope.graph, from.name).node(count == 1 ? "Identity" : "IdentityN", results, Attributes(), count);
}

/// Inputs are data, whose rows the steps get, states, and what is the same in all steps.
void GraphLoader::add_foreach(Scope& scope, const SymbolNode& from, Node& node, const Ports& inputs) {
  const Symbol& step = subgraph(from, 0, 1);
  const size_t count = step.variables().size();
  const auto data = places(node, "in_data_locs", count), states = places(node, "in_state_locs", count),
             others = places(node, "remain_locs", count);
  const auto outputs = static_cast<size_t>(limited_int(node, "num_out_data", 0, 0));
  if (data.size() + states.size() + others.size() != inputs.size() || inputs.size() != count)
    throw Error(Code::BadAttribute, msg(inputs.size(), " inputs for ", data.size(), " sequences, ", states.size(),
                                        " states and ", others.size(), " others"));
  node.attributes = {};
  Body body(node, "body");
  Ports given(inputs.begin(), inputs.begin() + static_cast<std::ptrdiff_t>(data.size() + states.size()));
  Ports variables(count);
  for (size_t i = 0; i < data.size(); ++i) {
    Node& made = add_parameter(body.graph(), cat(node.name(), "/data"), i);
    set_slices(made, 0, false);
    variables[data[i]] = Builder(body.graph(), made.name()).squeeze(made.out(0), {0});
  }
  for (size_t i = 0; i < states.size(); ++i) {
    Node& made = add_parameter(body.graph(), cat(node.name(), "/state"), data.size() + i);
    made.set("back_edge", static_cast<int64_t>(i));
    variables[states[i]] = made.out(0);
  }
  for (size_t i = 0; i < others.size(); ++i)
    variables[others[i]] = body.invariant(inputs[data.size() + states.size() + i], given.size());
  const Ports results = inlined(step, body.graph(), variables, scope.depth + 1);
  require_results(results, outputs + states.size());
  add_step_results(body.graph(), results, outputs);
  given.insert(given.end(), body.outside().begin(), body.outside().end());
  connect(node, given, results.size());
}

/// The condition is computed before the first step, and in each step for the next one. Outputs have a row for each step
/// that may run; MXNet says nothing of what is in those that do not.
Node& GraphLoader::add_while(Scope& scope, const SymbolNode& from, Node& node, const Ports& inputs) {
  const Symbol &condition = subgraph(from, 0, 2), &step = subgraph(from, 1, 2);
  const auto of_condition = places(node, "cond_input_locs", inputs.size()),
             of_step = places(node, "func_input_locs", inputs.size()),
             states = places(node, "func_var_locs", of_step.size());
  const auto outputs = static_cast<size_t>(limited_int(node, "num_out_data", 0, 0));
  const int64_t trips = required_int(node, "max_iterations");
  node.attributes = {};
  Body body(node, "body");
  Builder b(scope.graph, node.name());
  Ports first;
  for (const size_t place : of_condition) first.push_back(inputs[place]);
  const Ports holds = inlined(condition, scope.graph, first, scope.depth + 1);
  if (holds.size() != 1) throw Error(Code::BadAttribute, msg("a condition with ", holds.size(), " outputs"));
  Ports given{b.constant(make_i64_scalar(trips)), truth(scope.graph, holds[0], node.name())};
  std::map<size_t, OutPort> before, after;  // the states, by input of the operator
  for (size_t i = 0; i < states.size(); ++i) {
    const size_t place = of_step[states[i]];
    Node& made = add_parameter(body.graph(), cat(node.name(), "/state"), given.size());
    made.set("back_edge", static_cast<int64_t>(i));
    before[place] = made.out(0);
    given.push_back(inputs[place]);
  }
  const size_t own = given.size();
  const auto value = [&](const std::map<size_t, OutPort>& known, size_t place) {
    const auto found = known.find(place);
    return found != known.end() ? found->second : body.invariant(inputs[place], own);
  };
  Ports variables;
  for (const size_t place : of_step) variables.push_back(value(before, place));
  const Ports results = inlined(step, body.graph(), variables, scope.depth + 1);
  require_results(results, outputs + states.size());
  for (size_t i = 0; i < states.size(); ++i) after[of_step[states[i]]] = results[outputs + i];
  variables.clear();
  for (const size_t place : of_condition) variables.push_back(value(after, place));
  const Ports goes_on = inlined(condition, body.graph(), variables, scope.depth + 1);
  add_result(body.graph(), truth(body.graph(), goes_on[0], node.name()), -1).set("purpose", "execution_condition");
  add_step_results(body.graph(), results, outputs);
  given.insert(given.end(), body.outside().begin(), body.outside().end());
  connect(node, given, results.size());
  if (outputs == 0) return node;
  Ports all;
  for (size_t i = 0; i < results.size(); ++i) {
    const OutPort port = node.out(static_cast<int>(i));
    all.push_back(i < outputs ? filled_up(b, port, trips) : port);
  }
  return b.node("IdentityN", all, Attributes(), static_cast<int>(all.size()));
}

void GraphLoader::add_if(Scope& scope, const SymbolNode& from, Node& node, const Ports& inputs) {
  const Symbol& condition = subgraph(from, 0, 3);
  const auto of_condition = places(node, "cond_input_locs", inputs.size());
  const std::vector<size_t> of_branch[] = {places(node, "then_input_locs", inputs.size()),
                                           places(node, "else_input_locs", inputs.size())};
  node.attributes = {};
  Ports first;
  for (const size_t place : of_condition) first.push_back(inputs[place]);
  const Ports holds = inlined(condition, scope.graph, first, scope.depth + 1);
  if (holds.size() != 1) throw Error(Code::BadAttribute, msg("a condition with ", holds.size(), " outputs"));
  Ports given{truth(scope.graph, holds[0], node.name())};
  size_t outputs = 0;
  for (const size_t which : {0, 1}) {
    Body body(node, kBranches[which]);
    Ports variables;
    for (const size_t place : of_branch[which]) variables.push_back(body.invariant(inputs[place], given.size()));
    const Ports results = inlined(from.subgraphs[1 + which], body.graph(), variables, scope.depth + 1);
    if (which == 1 && results.size() != outputs)
      throw Error(Code::BadAttribute, msg("branches with ", outputs, " and ", results.size(), " outputs"));
    outputs = results.size();
    for (size_t i = 0; i < results.size(); ++i) add_result(body.graph(), results[i], static_cast<int64_t>(i));
    given.insert(given.end(), body.outside().begin(), body.outside().end());
  }
  connect(node, given, outputs);
}

}  // namespace mo::mxnet

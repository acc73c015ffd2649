// Before: a loop with carried values; a recurrent layer with states
// After:  initial value -> ReadValue -> the loop -> Assign, for each of them. If there is one iteration, the nodes of
//         its body take the loop's place, and an RNNCell, GRUCell or LSTMCell that of the layer.
// Conditions: not inside the body of a loop, where these states begin anew in each iteration; it is not done already.
//         One step of a layer: one direction, and all lengths are 1.

#include <algorithm>

#include "core/back/requested/requested_transforms.h"
#include "core/decompose/control/inline_body.h"
#include "core/graph/body.h"
#include "core/ops/op_def.h"

namespace mo {
namespace {

bool is_one(OutPort port) {
  if (const auto known = port.exact_ints())
    return std::all_of(known->begin(), known->end(), [](int64_t n) { return n == 1; });
  return port && port.node().op() == "Broadcast" && is_one(port.node().source(0));
}

bool is_state(OutPort port) { return port && port.node().op() == "ReadValue"; }

/// The owner's output that has the carried value after the last iteration.
OutPort output_of(Node& owner, Node& result) {
  Node* last = &result;
  if (result.has("axis")) {  // this output has the values of all iterations
    last = &result.graph().add_node("Result", result.name());
    last->add_in_ports(1);
    last->in(0).connect(result.source(0));
    last->set("internal_layer_id", static_cast<int64_t>(result.graph().ids()));
  }
  if (!last->has("external_port_id")) {
    last->set("external_port_id", static_cast<int64_t>(owner.out_count()));
    owner.add_out_ports(owner.out_count() + 1);
    infer_node(owner);
  }
  return owner.out(static_cast<int>(last->get_int("external_port_id")));
}

bool runs_once(Node& owner, const Graph& body) {
  for (const Node* parameter : body.parameters) {
    if (!parameter->has("axis")) continue;
    const PartialShape& shape = owner.source(static_cast<int>(parameter->get_int("external_port_id"))).tensor().shape;
    if (!shape.has_rank() || !(shape[normalize_axis(parameter->get_int("axis"), shape.rank())] ==
                               Dimension(parameter->get_int("part_size", 1))))
      return false;
  }
  if (owner.op() == "TensorIterator") return true;
  const auto trips = owner.source(0).exact_int(), condition = owner.source(1).exact_int();
  return trips == 1 && condition == 1;
}

void unroll(Node& owner, const Graph& body) {
  Builder b(owner);
  for (Node* node : body.nodes())  // another body may have the same names
    for (int i = 0; i < node->out_count(); ++i) node->out(i).tensor().names.clear();
  std::vector<OutPort> counters;
  for (const Node* parameter : body.parameters)
    if (!parameter->has("external_port_id")) counters.push_back(b.i64_scalar(0));
  const std::vector<OutPort> made = inline_body(b, owner, "body", counters);
  for (size_t i = 0; i < made.size(); ++i) {
    Node& identity = made[i].node();
    if (const int port = static_cast<int>(body.results[i]->get_int("external_port_id", -1)); port >= 0)
      owner.out(port).connection().set_source(identity.source(0), TensorNames::Merge);
    owner.graph().remove(identity);
  }
  owner.graph().remove(owner);
}

/// Replaces what `input` reads by a variable of that shape. It begins with the same value, or with zeros, and becomes
/// `next` at the end of an inference.
void insert_state(InPort input, OutPort next, const std::string& variable_id, const PartialShape& shape, bool zeros) {
  OutPort initial = input.source();
  Builder b(next.node().graph(), variable_id);
  if (zeros) {
    const OutPort zero = b.scalar_like(initial, 0);
    initial = b.op("Broadcast", {zero, b.shape_of(initial)}, {{"mode", "numpy"}});
  }
  input.connect(
      b.op("ReadValue", {initial},
           {{"variable_id", variable_id}, {"variable_type", initial.tensor().type}, {"variable_shape", shape}}));
  b.node("Assign", {next}, {{"variable_id", variable_id}});
}

void keep_loop_states(Node& owner, Graph& body, bool zeros, VariableIds& ids) {
  const int first = owner.op() == "Loop" ? 2 : 0;  // trip count and condition are not states
  int index = -1;
  for (Node* parameter : std::vector<Node*>(body.parameters)) {
    const int port = static_cast<int>(parameter->get_int("external_port_id", -1));
    index += port >= 0;
    Node* result = back_edge_of(*parameter);
    if (!result || port < first) continue;
    if (is_state(owner.source(port))) return;
    const OutPort next = output_of(owner, *result);
    const PartialShape shape = *parameter->attributes.get_if<PartialShape>("shape");
    const std::string id = ids.unused(cat(owner.name(), "/", parameter->name(), "/variable_", index));
    insert_state(owner.in(port), next, id, shape, zeros);
  }
  if (runs_once(owner, body)) unroll(owner, body);
}

void make_cell(Node& layer, int lengths) {
  Builder b(layer);
  std::vector<OutPort> inputs;
  for (int i = 0; i < layer.in_count(); ++i)
    if (i != lengths) inputs.push_back(b.squeeze(layer.source(i), {i < lengths ? 1 : 0}));
  const char* op = lengths == 3 ? "LSTMCell" : layer.op() == "GRUSequence" ? "GRUCell" : "RNNCell";
  Attributes attributes = layer.attributes;
  attributes.erase("direction");
  Node& cell = b.node(op, inputs, std::move(attributes), lengths - 1);
  for (int i = 0; i < layer.out_count(); ++i) {
    const OutPort made = i == 0 ? b.unsqueeze(cell.out(0), {1, 2}) : b.unsqueeze(cell.out(i - 1), {1});
    layer.out(i).connection().set_source(made, TensorNames::Merge);
  }
  layer.graph().remove(layer);
}

void keep_layer_states(Node& layer, bool zeros, VariableIds& ids) {
  const int lengths = layer.op() == "LSTMSequence" ? 3 : 2;
  if (is_state(layer.source(1))) return;
  layer.add_out_ports(lengths);
  infer_node(layer);
  for (int i = 1; i < lengths; ++i) {
    const PartialShape shape = merge(layer.source(i).tensor().shape, layer.out(i).tensor().shape);
    insert_state(layer.in(i), layer.out(i), ids.unused(cat(layer.name(), "/variable_", i - 1)), shape, zeros);
  }
  const PartialShape& x = layer.source(0).tensor().shape;
  if (x.rank() == 3 && x[1] == Dimension(1) && layer.get_string("direction") != "bidirectional" &&
      is_one(layer.source(lengths)))
    make_cell(layer, lengths);
}

void keep_states(Graph& graph, bool zeros, VariableIds& ids) {
  for (Node* node : graph.topological_order()) {
    if (Graph* body = node->get_graph("body"))
      keep_loop_states(*node, *body, zeros, ids);
    else if (node->op() == "RNNSequence" || node->op() == "GRUSequence" || node->op() == "LSTMSequence")
      keep_layer_states(*node, zeros, ids);
    else
      for (Graph* branch : bodies_of(*node)) keep_states(*branch, zeros, ids);
  }
}

}  // namespace

void low_latency2(Graph& graph, bool zeros) {
  VariableIds ids(graph);
  keep_states(graph, zeros, ids);
}

}  // namespace mo

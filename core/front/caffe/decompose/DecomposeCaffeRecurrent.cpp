// Before: y, states = CaffeLSTM or CaffeRNN(x [time, batch, input], cont [time, batch], …)
// After:  where cont is a constant of 0 in the first step, or given states, and 1 otherwise: a sequence of the kind
//         else a TensorIterator of the steps, before each of which cont makes the states 0 or keeps them; those before
//         the first step are given, or what the last inference left: ReadValue, Assign
//         of an RNN y is tanh(W_out * what the steps give + b_out)
// Conditions: none. An input for all steps is joined with that of each step.

#include "core/build/loop_builder.h"
#include "core/decompose/math/constants.h"
#include "core/decompose/recurrent/layer.h"
#include "core/decompose/recurrent/loop.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeCaffeRecurrent final : public Decomposition {
 public:
  Names ops() const override { return {"CaffeLSTM", "CaffeRNN"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const bool lstm = node.op() == "CaffeLSTM";
    const int weights = lstm ? 5 : 4;
    RecurrentLayer layer;
    layer.kind = lstm ? RecurrentKind::Lstm : RecurrentKind::Rnn;
    layer.gates = lstm ? "ifoc" : "c";
    layer.hidden = node.get_int("hidden_size");
    layer.x = node.source(0);
    layer.w = {node.source(weights)};
    layer.bias = {node.source(weights + 1)};
    layer.r = {node.source(weights + 3)};
    layer.activations = {lstm ? std::vector<CellActivation>{{"sigmoid"}, {"tanh"}, {"tanh"}}
                              : std::vector<CellActivation>{{"tanh"}}};
    layer.hidden_state = node.source(3);
    if (lstm) layer.cell_state = node.source(4);
    if (node.has_in(2)) join_static(b, layer, node.source(2), node.source(weights + 2));
    const OutPort cont = node.source(1);
    RecurrentOutputs made =
        begins_once(node, cont, layer.hidden_state) ? recurrent_layer(b, layer) : loop(b, layer, cont);
    if (!lstm) {
      const OutPort sums = b.op("Add", {b.matmul({made.y, node.source(8)}, true), node.source(9)});
      made.y = b.op("Tanh", {sums});
    }
    std::vector<OutPort> out{made.y};
    if (node.out_count() > 1) out.push_back(b.unsqueeze(made.hidden, {0}));
    if (node.out_count() > 2) out.push_back(b.unsqueeze(made.cell, {0}));
    return out;
  }

 private:
  static void join_static(Builder& b, RecurrentLayer& layer, OutPort x, OutPort weights) {
    const OutPort shape = b.concat({b.dims_of(layer.x, {0, 1}), b.dims_of(x, {1})}, 0);
    const OutPort of_steps = b.op("Broadcast", {b.unsqueeze(x, {0}), shape}, {{"mode", "numpy"}});
    layer.x = b.concat({layer.x, of_steps}, 2);
    layer.w = {b.concat({layer.w[0], weights}, 1)};
  }

  /// Whether cont keeps the states in all steps. In the first one there are none unless they are given.
  static bool begins_once(const Node& node, OutPort cont, OutPort given) {
    const auto& value = cont.tensor().value;
    if (!value || value->shape.size() != 2 || value->elements() > 1 << 24) return false;
    const auto numbers = read_doubles(*value, node.graph().files(), static_cast<size_t>(value->elements()));
    if (!numbers) return false;
    const auto begin = given ? size_t{0} : static_cast<size_t>(value->shape[1]);
    for (size_t i = begin; i < numbers->size(); ++i)
      if ((*numbers)[i] != 1) return false;
    return true;
  }

  /// What the states are before the first step. Without given ones they stay from inference to inference.
  static OutPort first_state(Builder& b, const RecurrentLayer& layer, OutPort given, const std::string& variable) {
    if (given) return of_batch(b, given, layer.x, 1, {layer.hidden});
    const OutPort zeros = zero_states(b, layer.x, b.dims_of(layer.x, {1}), 0, layer.hidden);
    return b.op(
        "ReadValue", {zeros},
        {{"variable_id", variable}, {"variable_type", zeros.tensor().type}, {"variable_shape", zeros.tensor().shape}});
  }

  static RecurrentOutputs loop(Builder& b, const RecurrentLayer& layer, OutPort cont) {
    const bool lstm = layer.kind == RecurrentKind::Lstm;
    Cell cell = cell_of(b, layer, 0);
    const OutPort sums = input_sums(b, cell, layer.x);
    const std::string name = b.prefix() + "/hidden", name_of_cell = b.prefix() + "/cell";
    const OutPort hidden = first_state(b, layer, layer.hidden_state, name),
                  memory = lstm ? first_state(b, layer, layer.cell_state, name_of_cell) : OutPort();
    const OutPort column = b.unsqueeze(cont, {2});
    LoopBuilder loop(b);
    Builder& body = loop.body();
    const OutPort fed = loop.each(sums, 0), kept = loop.each(column, 0), before = loop.state(hidden);
    const OutPort memory_before = lstm ? loop.state(memory) : OutPort();
    cell.bias = {};
    for (OutPort* port : cell.tensors())
      if (*port) *port = loop.invariant(*port);
    const OutPort old = body.op("Mul", {before, kept});
    OutPort remembered;
    if (lstm) {
      const OutPort zero = body.scalar_like(memory_before, 0);
      remembered = body.op("Select", {body.op("Equal", {kept, zero}), zero, memory_before});
    }
    const CellStep made = step(body, cell, fed, old, remembered);
    RecurrentOutputs out;
    out.y = loop.collect(made.hidden, 0);
    out.hidden = loop.carry(before, made.hidden);
    if (lstm) out.cell = loop.carry(memory_before, made.cell);
    loop.finish();
    if (layer.hidden_state) return out;
    b.node("Assign", {out.hidden}, {{"variable_id", name}});
    if (lstm) b.node("Assign", {out.cell}, {{"variable_id", name_of_cell}});
    return out;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeCaffeRecurrent)
}  // namespace mo

#include "core/decompose/recurrent/sequence.h"

#include "core/decompose/recurrent/loop.h"

namespace mo {
namespace {

/// The inputs of IR's operation but the initial states, which come before the lengths.
struct Inputs {
  OutPort x, lengths, w, r, bias;
  std::vector<OutPort> states;
};

std::string gates_of_ir(RecurrentKind kind) {
  return kind == RecurrentKind::Lstm ? "fico" : kind == RecurrentKind::Gru ? "zrc" : "c";
}

/// With the dimension of directions in front.
OutPort stacked(Builder& b, const RecurrentLayer& layer, OutPort x) { return layer.stacked ? x : b.unsqueeze(x, {0}); }

OutPort rows(Builder& b, const RecurrentLayer& layer, const GateTensors& tensors) {
  return stacked(b, layer, rows_of(b, layer, tensors, gates_of_ir(layer.kind)));
}

/// Blocks [from, to) of the joined biases, in the layer's order of gates.
OutPort blocks(Builder& b, const RecurrentLayer& layer, OutPort bias, int64_t from, int64_t to) {
  from *= layer.hidden, to *= layer.hidden;
  if (const auto& value = bias.tensor().value) return b.constant(slice(*value, layer.stacked ? 1 : 0, from, to));
  return b.op("Slice", {bias, b.i64({from}), b.i64({to}), b.i64({1}), b.i64({layer.stacked ? 1 : 0})});
}

/// The sum of both biases. If the reset gate of a GRU comes after the product, only those of z and r are summed, and
/// both of the candidate are kept.
OutPort summed_bias(Builder& b, const RecurrentLayer& layer) {
  const auto count = static_cast<int64_t>(layer.gates.size());
  const bool apart = layer.kind == RecurrentKind::Gru && layer.reset_after;
  const GateTensors &bias = layer.bias, &recurrent = layer.recurrent_bias;
  const bool has_bias = !bias.empty() && bias[0], has_recurrent = !recurrent.empty() && recurrent[0];
  if (!has_bias && !has_recurrent) {
    const ElementType type = layer.x.tensor().type;
    return b.constant(make_splat(type == ElementType::Unknown ? ElementType::F32 : type,
                                 {layer.directions, (apart ? 4 : count) * layer.hidden}, 0));
  }
  if (layer.biases_joined && has_bias) {
    const auto block = [&](int64_t from, int64_t to) { return blocks(b, layer, bias[0], from, to); };
    if (!apart) {
      const OutPort one = block(0, count), other = block(count, 2 * count);
      return rows(b, layer, {b.op("Add", {one, other})});
    }
    const OutPort one = block(0, 2), other = block(3, 5), sum = b.op("Add", {one, other});
    const OutPort of_x = block(2, 3), of_h = block(5, 6);
    return stacked(b, layer, b.concat({sum, of_x, of_h}, layer.stacked ? 1 : 0));
  }
  const OutPort one = has_bias ? rows(b, layer, bias) : OutPort(),
                other = has_recurrent ? rows(b, layer, recurrent) : OutPort();
  if (!apart) return one && other ? b.op("Add", {one, other}) : one ? one : other;
  const OutPort some = one ? one : other, zeros = b.op("Sub", {some, some});
  const auto split = [&](OutPort x) {
    Node& parts = b.split(x ? x : zeros, 1, {2 * layer.hidden, layer.hidden});
    return std::pair<OutPort, OutPort>(parts.out(0), parts.out(1));
  };
  const auto of_x = split(one), of_h = split(other);
  const OutPort sum = b.op("Add", {of_x.first, of_h.first});
  return b.concat({sum, of_x.second, of_h.second}, 1);
}

/// [batch, directions, size].
OutPort initial_state(Builder& b, const RecurrentLayer& layer, OutPort given, OutPort x, OutPort batch) {
  if (!given) return zero_states(b, x, batch, layer.directions, layer.hidden);
  OutPort state = given;
  if (!layer.stacked)
    state = b.unsqueeze(given, {1});
  else if (!layer.batch_first)
    state = b.transpose(given, {1, 0, 2});
  return of_batch(b, state, x, 0, {layer.directions, layer.hidden});
}

/// The inputs of direction `d` of two.
Inputs part(Builder& b, const Inputs& in, int64_t d) {
  const auto at = [&](OutPort port, int64_t axis) { return b.gather(port, b.i64({d}), axis); };
  Inputs out = in;
  out.w = at(in.w, 0), out.r = at(in.r, 0), out.bias = at(in.bias, 0);
  for (OutPort& state : out.states) state = at(state, 1);
  return out;
}

Attributes attributes_of(const RecurrentLayer& layer, const std::vector<CellActivation>& activations) {
  Strings names;
  for (const CellActivation& activation : activations) names.push_back(activation.name);
  Attributes attributes{{"hidden_size", layer.hidden}, {"activations", names}, {"clip", layer.clip}};
  if (layer.kind == RecurrentKind::Gru) attributes.set("linear_before_reset", layer.reset_after);
  return attributes;
}

std::vector<OutPort> sequence(Builder& b, const RecurrentLayer& layer, const Inputs& in, const char* direction,
                              const std::vector<CellActivation>& activations) {
  Attributes attributes = attributes_of(layer, activations);
  attributes.set("direction", direction);
  const bool gru = layer.kind == RecurrentKind::Gru;
  std::vector<OutPort> inputs{in.x};
  inputs.insert(inputs.end(), in.states.begin(), in.states.end());
  inputs.insert(inputs.end(), {in.lengths, in.w, in.r, in.bias});
  const char* op = gru ? "GRUSequence" : layer.kind == RecurrentKind::Lstm ? "LSTMSequence" : "RNNSequence";
  const int outputs = static_cast<int>(in.states.size()) + 1;
  Node& made = b.node(op, inputs, attributes, outputs);
  std::vector<OutPort> ports;
  for (int i = 0; i < outputs; ++i) ports.push_back(made.out(i));
  return ports;
}

}  // namespace

RecurrentOutputs recurrent_sequence(Builder& b, const RecurrentLayer& layer) {
  Inputs in;
  in.x = layer.batch_first ? layer.x : b.transpose(layer.x, {1, 0, 2});
  const OutPort batch = b.dims_of(in.x, {0});
  in.w = rows(b, layer, layer.w);
  in.r = rows(b, layer, layer.r);
  in.bias = summed_bias(b, layer);
  in.lengths = layer.lengths ? layer.lengths : b.op("Broadcast", {b.dims_of(in.x, {1}), batch}, {{"mode", "numpy"}});
  in.states.push_back(initial_state(b, layer, layer.hidden_state, in.x, batch));
  if (layer.kind == RecurrentKind::Lstm) in.states.push_back(initial_state(b, layer, layer.cell_state, in.x, batch));

  const auto same = [](const CellActivation& one, const CellActivation& other) { return one.name == other.name; };
  const auto &first = layer.activations[0], &last = layer.activations.back();
  std::vector<OutPort> made;  // Y [batch, D, time, hidden], then states [batch, D, hidden]
  if (layer.directions == 1) {
    made = sequence(b, layer, in, layer.reverse ? "reverse" : "forward", first);
  } else if (std::equal(first.begin(), first.end(), last.begin(), last.end(), same)) {
    made = sequence(b, layer, in, "bidirectional", first);
  } else {
    const Inputs one = part(b, in, 0);
    const auto forward = sequence(b, layer, one, "forward", first);
    const Inputs other = part(b, in, 1);
    const auto backward = sequence(b, layer, other, "reverse", last);
    for (size_t i = 0; i < forward.size(); ++i) made.push_back(b.concat({forward[i], backward[i]}, 1));
  }

  RecurrentOutputs out;
  if (layer.wants_y) {
    if (layer.stacked)
      out.y = b.transpose(made[0], layer.batch_first ? Ints{0, 2, 1, 3} : Ints{2, 1, 0, 3});
    else
      out.y = b.squeeze(layer.batch_first ? made[0] : b.transpose(made[0], {2, 1, 0, 3}), {1});
  }
  const auto state = [&](OutPort x) {
    if (!layer.stacked) return b.squeeze(x, {1});
    return layer.batch_first ? x : b.transpose(x, {1, 0, 2});
  };
  if (layer.wants_hidden) out.hidden = state(made[1]);
  if (layer.wants_cell && made.size() > 2) out.cell = state(made[2]);
  return out;
}

CellStep recurrent_cell(Builder& b, const RecurrentLayer& layer) {
  const bool lstm = layer.kind == RecurrentKind::Lstm;
  const char* op = lstm ? "LSTMCell" : layer.kind == RecurrentKind::Gru ? "GRUCell" : "RNNCell";
  std::vector<OutPort> inputs{layer.x, layer.hidden_state};
  if (lstm) inputs.push_back(layer.cell_state);
  // Without the dimension of directions.
  inputs.push_back(b.squeeze(rows(b, layer, layer.w), {0}));
  inputs.push_back(b.squeeze(rows(b, layer, layer.r), {0}));
  inputs.push_back(b.squeeze(summed_bias(b, layer), {0}));
  Node& made = b.node(op, inputs, attributes_of(layer, layer.activations[0]), lstm ? 2 : 1);
  CellStep out;
  out.hidden = made.out(0);
  if (lstm) out.cell = made.out(1);
  return out;
}

}  // namespace mo

// Before: Y, Y_h[, Y_c] = RNN | GRU | LSTM(X, W, R, B, sequence_lens, initial_h[, initial_c, P])
// After:  RNNSequence | GRUSequence | LSTMSequence: batch first, LSTM's gates in the order f i c o, the sum of the two
//         biases, zeros for absent states, the whole time axis for absent lengths
// If the directions have different activations, each becomes a sequence of its own.
// An LSTM with peepholes becomes a TensorIterator for each direction.
// Conditions: no coupled gates; activations Sigmoid, Tanh, Relu.

#include <algorithm>

#include "core/base/text.h"
#include "core/decompose/peepholes.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

struct RecurrentKind {
  const char *op, *sequence;
  int64_t gates;
  Ints order;  ///< ONNX's gate blocks in IR's order
  Strings activations;
};

RecurrentKind kind_of_recurrent(const Node& node) {
  if (node.op() == "LSTM") return {"LSTM", "LSTMSequence", 4, {2, 0, 3, 1}, {"Sigmoid", "Tanh", "Tanh"}};
  if (node.op() == "GRU") return {"GRU", "GRUSequence", 3, {}, {"Sigmoid", "Tanh"}};
  return {"RNN", "RNNSequence", 1, {}, {"Tanh"}};
}

/// The activations of each direction, in IR's notation.
std::vector<Strings> activations_of(const Node& node, const RecurrentKind& kind, size_t directions) {
  Strings given = node.get_strings("activations");
  const size_t each = kind.activations.size();
  if (given.empty())
    for (size_t d = 0; d < directions; ++d) given.insert(given.end(), kind.activations.begin(), kind.activations.end());
  if (given.size() != each * directions)
    throw Error(Code::BadAttribute, cat(given.size(), " activations, want ", each * directions));
  std::vector<Strings> out(directions);
  for (size_t i = 0; i < given.size(); ++i) {
    const std::string name = lower(given[i]);
    if (name != "sigmoid" && name != "tanh" && name != "relu")
      throw Error(Code::UnsupportedForm, "the activation " + given[i] + " of a recurrent layer");
    out[i / each].push_back(name);
  }
  return out;
}

class DecomposeRecurrent final : public Decomposition {
 public:
  Names ops() const override { return {"RNN", "GRU", "LSTM"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const RecurrentKind kind = kind_of_recurrent(node);
    const std::string direction = node.get_string("direction");
    if (direction != "forward" && direction != "reverse" && direction != "bidirectional")
      throw Error(Code::BadAttribute, "direction is '" + direction + "'");
    if (node.get_bool("input_forget")) throw Error(Code::UnsupportedForm, "input_forget: coupled gates");
    const bool peepholes = node.has_in(7) && !is_zero(b, node.source(7));
    const bool batch_first = node.get_bool("layout");
    const size_t directions = direction == "bidirectional" ? 2 : 1;
    const std::vector<Strings> activations = activations_of(node, kind, directions);

    Inputs in;
    in.x = batch_first ? node.source(0) : b.transpose(node.source(0), {1, 0, 2});
    in.hidden = hidden_size(node);
    const OutPort batch = b.dims_of(in.x, {0});
    in.w = gates_in_order(b, node.source(1), kind);
    in.r = gates_in_order(b, node.source(2), kind);
    in.bias = summed_bias(b, node, kind, in);
    if (peepholes) in.peepholes = node.source(7);
    in.lengths =
        node.has_in(4) ? node.source(4) : b.op("Broadcast", {b.dims_of(in.x, {1}), batch}, {{"mode", "numpy"}});
    for (const int i : kind.gates == 4 ? Ints{5, 6} : Ints{5}) {
      if (node.has_in(static_cast<int>(i)))
        in.states.push_back(batch_first ? node.source(static_cast<int>(i))
                                        : b.transpose(node.source(static_cast<int>(i)), {1, 0, 2}));
      else
        in.states.push_back(
            b.op("Broadcast",
                 {b.scalar_like(in.x, 0), b.concat({batch, b.i64({static_cast<int64_t>(directions), in.hidden})}, 0)},
                 {{"mode", "numpy"}}));
    }

    std::vector<OutPort> results;  // Y [batch, D, time, hidden], then states [batch, D, hidden]
    if (directions == 1 || (activations[0] == activations[1] && !peepholes)) {
      results = sequence(b, node, kind, in, direction, activations[0]);
    } else {
      const auto one = sequence(b, node, kind, part(b, in, 0), "forward", activations[0]);
      const auto other = sequence(b, node, kind, part(b, in, 1), "reverse", activations[1]);
      for (size_t i = 0; i < one.size(); ++i) results.push_back(b.concat({one[i], other[i]}, 1));
    }
    std::vector<OutPort> outputs(static_cast<size_t>(node.out_count()));
    for (size_t i = 0; i < outputs.size() && i < results.size(); ++i) {
      if (node.out(static_cast<int>(i)).disconnected()) continue;
      if (i == 0)
        outputs[i] = b.transpose(results[i], batch_first ? Ints{0, 2, 1, 3} : Ints{2, 1, 0, 3});
      else
        outputs[i] = batch_first ? results[i] : b.transpose(results[i], {1, 0, 2});
    }
    return outputs;
  }

 private:
  struct Inputs {
    OutPort x, lengths, w, r, bias, peepholes;
    std::vector<OutPort> states;
    int64_t hidden = 0;
  };

  static bool is_zero(Builder& b, OutPort port) {
    const auto& value = port.tensor().value;
    const auto numbers = value ? read_doubles(*value, b.graph().files(), 1 << 16) : std::nullopt;
    return numbers && std::all_of(numbers->begin(), numbers->end(), [](double v) { return v == 0; });
  }

  /// One direction step by step, with outputs like those of LSTMSequence.
  static std::vector<OutPort> with_peepholes(Builder& b, const Node& node, const Inputs& in, bool reverse,
                                             const Strings& activations) {
    const std::vector<OutPort> made = peephole_lstm(b, {.x = in.x,
                                                        .hidden = b.squeeze(in.states[0], {1}),
                                                        .cell = b.squeeze(in.states[1], {1}),
                                                        .w = b.squeeze(in.w, {0}),
                                                        .r = b.squeeze(in.r, {0}),
                                                        .bias = b.squeeze(in.bias, {0}),
                                                        .peepholes = b.squeeze(in.peepholes, {0}),
                                                        .lengths = node.source(4),
                                                        .activations = activations,
                                                        .clip = node.get_float("clip"),
                                                        .reverse = reverse});
    std::vector<OutPort> ports;
    for (const OutPort& port : made) ports.push_back(b.unsqueeze(port, {1}));
    return ports;
  }

  static int64_t hidden_size(const Node& node) {
    const PartialShape& r = node.source(2).tensor().shape;
    const int64_t hidden = r.rank() == 3 && r[2].is_exact() ? r[2].min : node.get_int("hidden_size");
    if (hidden < 1 || hidden > INT32_MAX) throw Error(Code::UnsupportedForm, "the hidden size is not known");
    return hidden;
  }

  static OutPort gates_in_order(Builder& b, OutPort weights, const RecurrentKind& kind) {
    if (kind.order.empty()) return weights;
    if (const auto& value = weights.tensor().value) return b.constant(reorder(*value, 1, kind.order));
    Node& split =
        b.node("Split", {weights, b.i64_scalar(1)}, {{"num_splits", kind.gates}}, static_cast<int>(kind.gates));
    std::vector<OutPort> parts;
    for (const int64_t gate : kind.order) parts.push_back(split.out(static_cast<int>(gate)));
    return b.concat(parts, 1);
  }

  /// Wb + Rb. If the reset gate of a GRU comes after the matrix product, only z and r are summed, and Wb_h and Rb_h are
  /// both kept.
  static OutPort summed_bias(Builder& b, const Node& node, const RecurrentKind& kind, const Inputs& in) {
    const bool linear_before_reset = kind.gates == 3 && node.get_bool("linear_before_reset");
    const int64_t blocks = linear_before_reset ? 4 : kind.gates;
    if (!node.has_in(3)) {
      const int64_t directions = node.get_string("direction") == "bidirectional" ? 2 : 1;
      const ElementType type = in.x.tensor().type;
      return b.constant(
          make_splat(type == ElementType::Unknown ? ElementType::F32 : type, {directions, blocks * in.hidden}, 0));
    }
    const OutPort bias = node.source(3);
    const auto block = [&](int64_t from, int64_t to) {
      if (const auto& value = bias.tensor().value)
        return b.constant(slice(*value, 1, from * in.hidden, to * in.hidden));
      return b.op("Slice", {bias, b.i64({from * in.hidden}), b.i64({to * in.hidden}), b.i64({1}), b.i64({1})});
    };
    if (!linear_before_reset)
      return gates_in_order(b, b.op("Add", {block(0, kind.gates), block(kind.gates, 2 * kind.gates)}), kind);
    return b.concat({b.op("Add", {block(0, 2), block(3, 5)}), block(2, 3), block(5, 6)}, 1);
  }

  /// The inputs of direction `d` of two.
  static Inputs part(Builder& b, const Inputs& in, int64_t d) {
    const auto at = [&](OutPort port, int64_t axis) { return b.gather(port, b.i64({d}), axis); };
    Inputs out = in;
    out.w = at(in.w, 0), out.r = at(in.r, 0), out.bias = at(in.bias, 0);
    if (in.peepholes) out.peepholes = at(in.peepholes, 0);
    for (OutPort& state : out.states) state = at(state, 1);
    return out;
  }

  static std::vector<OutPort> sequence(Builder& b, const Node& node, const RecurrentKind& kind, const Inputs& in,
                                       const std::string& direction, const Strings& activations) {
    if (in.peepholes) return with_peepholes(b, node, in, direction == "reverse", activations);
    Attributes attributes{{"direction", direction},
                          {"hidden_size", in.hidden},
                          {"activations", activations},
                          {"clip", node.get_float("clip")}};
    if (kind.gates == 3) attributes.set("linear_before_reset", node.get_bool("linear_before_reset"));
    std::vector<OutPort> inputs{in.x};
    inputs.insert(inputs.end(), in.states.begin(), in.states.end());
    inputs.insert(inputs.end(), {in.lengths, in.w, in.r, in.bias});
    const int outputs = static_cast<int>(in.states.size()) + 1;
    Node& made = b.node(kind.sequence, inputs, attributes, outputs);
    std::vector<OutPort> ports;
    for (int i = 0; i < outputs; ++i) ports.push_back(made.out(i));
    return ports;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeRecurrent)
}  // namespace mo

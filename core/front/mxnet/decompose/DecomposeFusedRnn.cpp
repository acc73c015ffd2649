// Before: y, hidden[, cell] = FusedRnn(x [time, batch, input], parameters, hidden, cell, lengths) {mode, layers, both,
//         hidden_size, cell_clip}
// After:  the recurrent layers (core/decompose/recurrent/), one behind the other; y [time, batch, directions * size]
// The parameters are one vector: of each layer and direction the weights of x and of the state, then in the same order
// both biases. The size of x follows from their number.
// Conditions: the number of parameters is known.

#include "core/decompose/math/constants.h"
#include "core/decompose/recurrent/layer.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeFusedRnn final : public Decomposition {
 public:
  Names ops() const override { return {"FusedRnn"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    for (const int i : {0, 1}) require_input(node, i);
    const Sizes sizes = sizes_of(node);
    Parts parts{b, node.source(1)};
    // All weights come before all biases.
    std::vector<Weights> all;
    for (int64_t layer = 0; layer < sizes.layers; ++layer) {
      const int64_t input = layer == 0 ? sizes.input : sizes.directions * sizes.hidden;
      Weights& of = all.emplace_back();
      for (int64_t d = 0; d < sizes.directions; ++d) {
        of.w.push_back(parts.next({1, sizes.rows, input}));
        of.r.push_back(parts.next({1, sizes.rows, sizes.hidden}));
      }
    }
    for (Weights& of : all)
      for (int64_t d = 0; d < sizes.directions; ++d) {
        of.bias.push_back(parts.next({1, sizes.rows}));
        of.recurrent_bias.push_back(parts.next({1, sizes.rows}));
      }
    OutPort x = node.source(0);
    std::vector<OutPort> hidden, cells;
    for (int64_t i = 0; i < sizes.layers; ++i) {
      const RecurrentOutputs made = layer(b, node, sizes, all[static_cast<size_t>(i)], x, i);
      x = sizes.directions == 2 ? b.reshape(b.transpose(made.y, {0, 2, 1, 3}), {0, 0, -1}) : b.squeeze(made.y, {1});
      hidden.push_back(made.hidden), cells.push_back(made.cell);
    }
    std::vector<OutPort> out{x, joined(b, node, hidden, 1), joined(b, node, cells, 2)};
    out.resize(static_cast<size_t>(node.out_count()));
    return out;
  }

 private:
  struct Sizes {
    int64_t layers, directions, hidden, rows, input;  ///< rows: of all gates
  };
  struct Weights {
    std::vector<OutPort> w, r, bias, recurrent_bias;  ///< of each direction
  };

  /// The parameters, taken in their order.
  struct Parts {
    Builder& b;
    OutPort all;
    int64_t at = 0;

    OutPort next(const Shape& shape) {
      const int64_t from = at;
      at += static_cast<int64_t>(element_count(shape));
      if (const auto& value = all.tensor().value) return b.constant(reshape(slice(*value, 0, from, at), shape));
      const OutPort part = b.op("Slice", {all, b.i64({from}), b.i64({at}), b.i64({1}), b.i64({0})});
      return b.reshape(part, shape, false);
    }
  };

  static Sizes sizes_of(const Node& node) {
    const std::string mode = node.get_string("mode");
    Sizes out{node.get_int("layers"), node.get_bool("both") ? 2 : 1, node.get_int("hidden_size"), 0, 0};
    const int64_t gates = mode == "lstm" ? 4 : mode == "gru" ? 3 : 1;
    if (out.layers < 1 || out.layers > 1024)
      throw Error(Code::BadAttribute, msg(std::string("layers"), " is ", out.layers));
    if (out.hidden < 1 || out.hidden > 1 << 24)
      throw Error(Code::BadAttribute, msg(std::string("hidden_size"), " is ", out.hidden));
    out.rows = gates * out.hidden;
    const PartialShape& shape = node.source(1).tensor().shape;
    if (shape.rank() != 1 || !shape[0].is_exact())
      throw Error(Code::UnsupportedForm, "a recurrent layer whose number of parameters is not known");
    const int64_t others = out.layers * out.directions * out.rows * (out.hidden + 2) +
                           (out.layers - 1) * out.directions * out.rows * out.directions * out.hidden;
    const int64_t rest = shape[0].min - others, each = out.directions * out.rows;
    if (rest < each || rest % each != 0)
      throw Error(Code::ShapeMismatch, msg("a recurrent layer with ", shape[0].min, " parameters"));
    out.input = rest / each;
    return out;
  }

  static OutPort stacked(Builder& b, const std::vector<OutPort>& parts) {
    if (parts.size() == 1) return parts[0];
    std::vector<Constant> values;
    for (const OutPort part : parts)
      if (const auto& value = part.tensor().value) values.push_back(*value);
    return values.size() == parts.size() ? b.constant(concat(values, 0)) : b.concat(parts, 0);
  }

  /// The states of layer `i`.
  static OutPort states(Builder& b, OutPort all, const Sizes& sizes, int64_t i) {
    if (!all || sizes.layers == 1) return all;
    return b.op("Slice",
                {all, b.i64({i * sizes.directions}), b.i64({(i + 1) * sizes.directions}), b.i64({1}), b.i64({0})});
  }

  static RecurrentOutputs layer(Builder& b, Node& node, const Sizes& sizes, const Weights& weights, OutPort x,
                                int64_t i) {
    const std::string mode = node.get_string("mode");
    RecurrentLayer layer;
    const bool lstm = mode == "lstm", gru = mode == "gru";
    layer.kind = lstm ? RecurrentKind::Lstm : gru ? RecurrentKind::Gru : RecurrentKind::Rnn;
    layer.gates = lstm ? "ifco" : gru ? "rzc" : "c";
    layer.directions = static_cast<int>(sizes.directions);
    layer.stacked = true;
    layer.reset_after = gru;
    layer.hidden = sizes.hidden;
    layer.cell_clip = lstm ? node.get_float("cell_clip") : 0;
    layer.x = x, layer.lengths = node.source(4);
    layer.w = {stacked(b, weights.w)}, layer.r = {stacked(b, weights.r)};
    layer.bias = {stacked(b, weights.bias)}, layer.recurrent_bias = {stacked(b, weights.recurrent_bias)};
    layer.hidden_state = states(b, node.source(2), sizes, i);
    if (lstm) layer.cell_state = states(b, node.source(3), sizes, i);
    const std::vector<CellActivation> each = lstm ? std::vector<CellActivation>{{"sigmoid"}, {"tanh"}, {"tanh"}}
                                             : gru
                                                 ? std::vector<CellActivation>{{"sigmoid"}, {"tanh"}}
                                                 : std::vector<CellActivation>{{mode == "rnn_relu" ? "relu" : "tanh"}};
    layer.activations.assign(static_cast<size_t>(sizes.directions), each);
    layer.wants_hidden = is_read(node, 1), layer.wants_cell = is_read(node, 2);
    return recurrent_layer(b, std::move(layer));
  }

  static bool is_read(Node& node, int output) { return node.has_out_port(output) && !node.out(output).disconnected(); }

  static OutPort joined(Builder& b, Node& node, const std::vector<OutPort>& states, int output) {
    if (!is_read(node, output)) return {};
    return states.size() == 1 ? states[0] : b.concat(states, 0);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeFusedRnn)
}  // namespace mo

// Before: y, hidden[, cell] = PaddleRnn(x [time, batch, input], lengths, hidden, cell, then w, r, bias and recurrent
// bias
//         of each direction) {mode}
// After:  the recurrent layer (core/decompose/recurrent/); y [time, batch, directions * size]
// Before: hidden[, cell] = RnnStep(x [batch, input], hidden, cell, w, r, bias, recurrent bias) {mode}
// After:  hidden[, cell] = LSTMCell, GRUCell or RNNCell
// Conditions: the hidden size is known.

#include "core/decompose/recurrent/sequence.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposePaddleRnn final : public Decomposition {
 public:
  Names ops() const override { return {"PaddleRnn", "RnnStep"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    RecurrentLayer layer = layer_of(node.get_string("mode"));
    std::vector<OutPort> out = node.op() == "RnnStep" ? one_step(b, node, layer) : all_steps(b, node, layer);
    out.resize(static_cast<size_t>(node.out_count()));
    return out;
  }

 private:
  /// One direction.
  static RecurrentLayer layer_of(const std::string& mode) {
    RecurrentLayer layer;
    const bool lstm = mode == "LSTM", gru = mode == "GRU";
    layer.kind = lstm ? RecurrentKind::Lstm : gru ? RecurrentKind::Gru : RecurrentKind::Rnn;
    layer.gates = lstm ? "ifco" : gru ? "rzc" : "c";
    layer.reset_after = gru;
    layer.activations = {lstm  ? std::vector<CellActivation>{{"sigmoid"}, {"tanh"}, {"tanh"}}
                         : gru ? std::vector<CellActivation>{{"sigmoid"}, {"tanh"}}
                               : std::vector<CellActivation>{{mode == "RNN_RELU" ? "relu" : "tanh"}}};
    return layer;
  }

  static void set_hidden_size(RecurrentLayer& layer, int rank) {
    const PartialShape& r = layer.r[0].tensor().shape;
    const auto last = static_cast<size_t>(rank) - 1;
    if (r.rank() != rank || !r[last].is_exact()) throw Error(Code::UnsupportedForm, "the hidden size is not known");
    layer.hidden = r[last].min;
  }

  static std::vector<OutPort> one_step(Builder& b, const Node& node, RecurrentLayer& layer) {
    const bool lstm = layer.kind == RecurrentKind::Lstm;
    for (const int i : {0, 1, 3, 4}) require_input(node, i);
    if (lstm) require_input(node, 2);
    layer.x = node.source(0), layer.hidden_state = node.source(1);
    if (lstm) layer.cell_state = node.source(2);
    layer.w = {node.source(3)}, layer.r = {node.source(4)};
    if (node.has_in(5)) layer.bias = {node.source(5)};
    if (node.has_in(6)) layer.recurrent_bias = {node.source(6)};
    set_hidden_size(layer, 2);
    const CellStep made = recurrent_cell(b, layer);
    return {made.hidden, made.cell};
  }

  static std::vector<OutPort> all_steps(Builder& b, const Node& node, RecurrentLayer& layer) {
    const bool both = node.in_count() > 8;
    if (both) layer.activations.push_back(layer.activations[0]);
    layer.directions = both ? 2 : 1;
    layer.stacked = true;
    layer.x = node.source(0), layer.lengths = node.source(1);
    layer.hidden_state = node.source(2);
    if (layer.kind == RecurrentKind::Lstm) layer.cell_state = node.source(3);
    layer.w = {of_directions(b, node, 4)}, layer.r = {of_directions(b, node, 5)};
    if (node.has_in(6)) layer.bias = {of_directions(b, node, 6)};
    if (node.has_in(7)) layer.recurrent_bias = {of_directions(b, node, 7)};
    set_hidden_size(layer, 3);
    const RecurrentOutputs made = recurrent_layer(b, std::move(layer));
    const OutPort y = both ? b.reshape(b.transpose(made.y, {0, 2, 1, 3}), {0, 0, -1}) : b.squeeze(made.y, {1});
    return {y, made.hidden, made.cell};
  }

  static OutPort of_directions(Builder& b, const Node& node, int input) {
    std::vector<OutPort> parts;
    for (; input < node.in_count(); input += 4) {
      require_input(node, input);
      parts.push_back(b.unsqueeze(node.source(input), {0}));
    }
    return parts.size() == 1 ? parts[0] : b.concat(parts, 0);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposePaddleRnn)
}  // namespace mo

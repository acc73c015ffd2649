// Before: y, hidden[, cell] = PaddleRnn(x [time, batch, input], lengths, hidden, cell, then w, r, bias and recurrent
// bias
//         of each direction) {mode}
// After:  the recurrent layer (core/decompose/recurrent/); y [time, batch, directions * size]
// Conditions: none.

#include "core/decompose/recurrent/layer.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposePaddleRnn final : public Decomposition {
 public:
  Names ops() const override { return {"PaddleRnn"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const std::string mode = node.get_string("mode");
    RecurrentLayer layer;
    const bool lstm = mode == "LSTM", gru = mode == "GRU";
    layer.kind = lstm ? RecurrentKind::Lstm : gru ? RecurrentKind::Gru : RecurrentKind::Rnn;
    layer.gates = lstm ? "ifco" : gru ? "rzc" : "c";
    layer.directions = node.in_count() > 8 ? 2 : 1;
    layer.stacked = true;
    layer.reset_after = gru;
    layer.x = node.source(0), layer.lengths = node.source(1);
    layer.hidden_state = node.source(2);
    if (lstm) layer.cell_state = node.source(3);
    layer.w = {of_directions(b, node, 4)}, layer.r = {of_directions(b, node, 5)};
    if (node.has_in(6)) layer.bias = {of_directions(b, node, 6)};
    if (node.has_in(7)) layer.recurrent_bias = {of_directions(b, node, 7)};
    const PartialShape& r = layer.r[0].tensor().shape;
    if (r.rank() != 3 || !r[2].is_exact()) throw Error(Code::UnsupportedForm, "the hidden size is not known");
    layer.hidden = r[2].min;
    const std::vector<CellActivation> each = lstm ? std::vector<CellActivation>{{"sigmoid"}, {"tanh"}, {"tanh"}}
                                             : gru
                                                 ? std::vector<CellActivation>{{"sigmoid"}, {"tanh"}}
                                                 : std::vector<CellActivation>{{mode == "RNN_RELU" ? "relu" : "tanh"}};
    layer.activations.assign(static_cast<size_t>(layer.directions), each);
    const bool both = layer.directions == 2;
    const RecurrentOutputs made = recurrent_layer(b, std::move(layer));
    const OutPort y = both ? b.reshape(b.transpose(made.y, {0, 2, 1, 3}), {0, 0, -1}) : b.squeeze(made.y, {1});
    std::vector<OutPort> out{y, made.hidden, made.cell};
    out.resize(static_cast<size_t>(node.out_count()));
    return out;
  }

 private:
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

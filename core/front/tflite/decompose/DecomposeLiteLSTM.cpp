// Before: y[, h, c] = LiteLSTM(x, weights [hidden, input] of the gates i f c o, recurrent weights [hidden, output],
//         peepholes of i f o, biases of i f c o, projection [output, hidden] and its bias, h, c, norms of i f c o)
//         {form, activation, cell_clip, proj_clip, time_major}; with form BIDIRECTIONAL_SEQUENCE_LSTM all of it twice
// Before: h, c = LiteBasicLSTM(x, h, weights [4 * hidden, input + hidden] of the gates i c f o, bias, c)
// After:  the recurrent layer (core/decompose/recurrent/); for form LSTM and LiteBasicLSTM one step of it
// Conditions: the states are inputs; their next values are the outputs behind those of the operator. The hidden size is
// known.

#include "core/decompose/recurrent/layer.h"
#include "core/front/tflite/decompose/activation.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeLiteLSTM final : public Decomposition {
 public:
  Names ops() const override { return {"LiteLSTM", "LiteBasicLSTM"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    if (node.op() == "LiteBasicLSTM") return basic(b, node);
    const std::string form = node.get_string("form");
    if (form != "BIDIRECTIONAL_SEQUENCE_LSTM") {
      const RecurrentLayer layer = layer_of(node, 1, 18);
      if (form == "LSTM") {
        const CellStep made = one_step(b, layer);
        return {made.hidden, made.hidden, made.cell};
      }
      const RecurrentOutputs made = recurrent_layer(b, layer);
      return {made.y, made.hidden, made.cell};
    }
    RecurrentLayer forward = layer_of(node, 1, 35), backward = layer_of(node, 18, 37);
    backward.reverse = true;
    if (node.has_in(39)) {
      if (node.has_in(41)) {
        forward.x = backward.x = b.concat({node.source(0), node.source(39)}, -1);
        add_weights(b, forward, node, 40);
        add_weights(b, backward, node, 44);
      } else {
        backward.x = node.source(39);
      }
    }
    const RecurrentOutputs one = recurrent_layer(b, forward), other = recurrent_layer(b, backward);
    if (node.get_bool("merge_outputs"))
      return {b.concat({one.y, other.y}, -1), one.hidden, one.cell, other.hidden, other.cell};
    return {one.y, other.y, one.hidden, one.cell, other.hidden, other.cell};
  }

 private:
  /// The inputs from `first` on, with the states at `state`.
  static RecurrentLayer layer_of(const Node& node, int first, int state) {
    for (const int i : {first + 1, first + 2, first + 3, first + 5, state, state + 1}) require_input(node, i);
    RecurrentLayer layer;
    layer.gates = "ifco";
    if (!node.has_in(first)) layer.coupled = 'i';  // without weights of its own
    const auto inputs = [&](int from, int count) {
      GateTensors ports;
      for (int i = from; i < from + count; ++i) ports.push_back(node.source(i));
      return ports;
    };
    layer.x = node.source(0);
    layer.w = inputs(first, 4), layer.r = inputs(first + 4, 4);
    layer.peepholes = inputs(first + 8, 3), layer.bias = inputs(first + 11, 4);
    layer.projection = node.source(first + 15), layer.projection_bias = node.source(first + 16);
    if (state == 18) layer.norms = inputs(20, 4);
    layer.hidden_state = node.source(state), layer.cell_state = node.source(state + 1);
    const CellActivation activation = tflite::cell_activation(node.get_int("activation"));
    layer.activations = {{{"sigmoid"}, activation, activation}};
    layer.cell_clip = node.get_float("cell_clip"), layer.projection_clip = node.get_float("proj_clip");
    layer.batch_first = !node.get_bool("time_major");
    layer.hidden = tflite::rows_of_weights(layer.w[1]);
    return layer;
  }

  /// The weights of a second input, which is more features of the first one, are inputs from `first` on.
  static void add_weights(Builder& b, RecurrentLayer& layer, const Node& node, int first) {
    for (int i = layer.coupled ? 1 : 0; i < 4; ++i) {
      require_input(node, first + i);
      OutPort& w = layer.w[static_cast<size_t>(i)];
      w = b.concat({w, node.source(first + i)}, 1);
    }
  }

  static std::vector<OutPort> basic(Builder& b, Node& node) {
    for (int i = 0; i < 5; ++i) require_input(node, i);
    const OutPort both = b.concat({node.source(0), node.source(1)}, 1);
    const OutPort sums = b.op("Add", {b.matmul({both, node.source(2)}, true), node.source(3)});
    const Cell cell{.gates = "icfo", .activations = {{"sigmoid"}, {"tanh"}, {"tanh"}}};
    const CellStep made = step(b, cell, sums, {}, node.source(4));
    std::vector<OutPort> results{made.hidden, made.cell, both, sums};
    if (node.out_count() > 4) results.insert(results.end(), {made.hidden, made.cell});
    return results;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeLiteLSTM)
}  // namespace mo

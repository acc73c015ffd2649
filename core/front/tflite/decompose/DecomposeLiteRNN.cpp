// Before: y[, h] = LiteRNN(x, W [units, input], R [units, units], bias, h) {form, activation, time_major}; with form
//         BIDIRECTIONAL_SEQUENCE_RNN inputs 1 to 4 twice, and x of the second direction
// After:  the recurrent layer (core/decompose/recurrent/); for form RNN one step of it
// Before: y[, state] = LiteSVDF(x, features [filters, input], times [filters, memory], bias, state) {rank, activation}
// After:  the last features of each filter, weighted by time, summed over the filters of a unit
// Conditions: the states are inputs; their next values are the outputs behind those of the operator.

#include "core/decompose/recurrent/layer.h"
#include "core/front/tflite/decompose/activation.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeLiteRNN final : public Decomposition {
 public:
  Names ops() const override { return {"LiteRNN", "LiteSVDF"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    if (node.op() == "LiteSVDF") return svdf(b, node);
    const std::string form = node.get_string("form");
    RecurrentLayer forward = layer_of(node, 1);
    if (form == "RNN") {
      const OutPort h = one_step(b, forward).hidden;
      return {h, h};
    }
    if (form != "BIDIRECTIONAL_SEQUENCE_RNN") {
      const RecurrentOutputs made = recurrent_layer(b, forward);
      return {made.y, made.hidden};
    }
    RecurrentLayer backward = layer_of(node, 5);
    backward.reverse = true;
    if (node.has_in(10) || node.has_in(11)) throw Error(Code::UnsupportedForm, "a second input with weights");
    if (node.has_in(9)) backward.x = node.source(9);
    const RecurrentOutputs one = recurrent_layer(b, forward), other = recurrent_layer(b, backward);
    if (node.get_bool("merge_outputs")) return {b.concat({one.y, other.y}, -1), one.hidden, other.hidden};
    return {one.y, other.y, one.hidden, other.hidden};
  }

 private:
  static RecurrentLayer layer_of(const Node& node, int first) {
    for (int i = first; i < first + 4; ++i) require_input(node, i);
    RecurrentLayer layer{.kind = RecurrentKind::Rnn, .gates = "c"};
    layer.x = node.source(0);
    layer.w = {node.source(first)}, layer.r = {node.source(first + 1)}, layer.bias = {node.source(first + 2)};
    layer.hidden_state = node.source(first + 3);
    layer.activations = {{tflite::cell_activation(node.get_int("activation"))}};
    layer.batch_first = !node.get_bool("time_major");
    layer.hidden = tflite::rows_of_weights(layer.w[0]);
    return layer;
  }

  /// Along axis 2. The runtime, 2026.4, adds a bias along the batch if it follows a sum that drops its dimension.
  static OutPort summed(Builder& b, OutPort x) { return b.squeeze(b.reduce("ReduceSum", x, {2}, true), {2}); }

  static std::vector<OutPort> svdf(Builder& b, Node& node) {
    for (const int i : {1, 2, 4}) require_input(node, i);
    const int64_t rank = node.get_int("rank");
    if (rank < 1) throw Error(Code::BadAttribute, msg("rank is ", rank));
    const PartialShape& times = node.source(2).tensor().shape;
    if (times.rank() != 2 || !times.is_static()) throw Error(Code::UnsupportedForm, "weights of unknown shape");
    const int64_t filters = times[0].min, memory = times[1].min;
    const OutPort features = b.unsqueeze(b.matmul({node.source(0), node.source(1)}, true), {2});
    const OutPort old = b.reshape(node.source(4), {-1, filters, memory}, false);
    const OutPort kept = b.op("Slice", {old, b.i64({1}), b.i64({memory}), b.i64({1}), b.i64({2})});
    const OutPort state = b.concat({kept, features}, 2);
    OutPort y = summed(b, b.op("Mul", {state, node.source(2)}));
    if (rank > 1) y = summed(b, b.reshape(y, {-1, filters / rank, rank}, false));
    if (node.has_in(3)) y = b.op("Add", {y, node.source(3)});
    return {tflite::activated(b, y, node.get_int("activation")), b.reshape(state, {-1, filters * memory}, false)};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeLiteRNN)
}  // namespace mo

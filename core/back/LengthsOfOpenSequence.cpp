// Before: y, h[, c] = RNNSequence | GRUSequence | LSTMSequence(x, states, lengths, W, R, B)
// After:  for each direction a sequence over the whole time axis; places behind the length are filled with zeros, and
//         the last states are those of the last step within the length. The reverse direction runs forward over
//         sequences that are each reversed within its length, and its results are put back in the same way.
//         c of an LSTM: x gets a column that is 1 behind the length, W numbers for it that keep the cell's state.
// Conditions: x has an open size; the lengths are not the whole time axis; no limit, the default activations. The CPU
// plugin computes such a sequence with one primitive, which ignores the lengths (docs/runtime.md). Others, and those of
// known sizes, it computes step by step.

#include <algorithm>

#include "core/decompose/math/constants.h"
#include "core/decompose/recurrent/layer.h"
#include "core/decompose/shaping/shaping.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class LengthsOfOpenSequence final : public BackReplacementPattern {
 public:
  // After the transformations of --transform, for which a sequence is one node with its last states.
  Names run_after() const override { return {"ApplyRequestedTransforms"}; }
  Names run_before() const override { return {"CompressFloatConstants", "BackFinish"}; }
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes_of({"RNNSequence", "GRUSequence", "LSTMSequence"}))
      if (ignores_lengths(*node)) replace(graph, *node);
  }

 private:
  static int states_of(const Node& node) { return node.op() == "LSTMSequence" ? 2 : 1; }

  static bool ignores_lengths(const Node& node) {
    const PartialShape& x = node.source(0).tensor().shape;
    const Strings activations = node.get_strings("activations");
    const bool defaults =
        node.op() == "RNNSequence" ||
        activations == (node.op() == "GRUSequence" ? Strings{"sigmoid", "tanh"} : Strings{"sigmoid", "tanh", "tanh"});
    return !x.is_static() && node.get_float("clip") == 0 && defaults &&
           !covers_time(node.source(states_of(node) + 1), node.source(0), 1);
  }

  /// What all directions use.
  struct Lengths {
    OutPort all, last;     ///< [batch], of i64: the lengths, the place of the last step
    OutPort time, inside;  ///< 0, 1, …; [batch, time]: whether a step is within the length
    OutPort shown;         ///< inside as [batch, time, 1]
    bool may_be_zero;
  };

  static Lengths lengths_of(Builder& b, OutPort given, OutPort x) {
    Lengths made;
    const auto& known = given.tensor().ints;
    made.may_be_zero =
        !known || std::any_of(known->elements.begin(), known->elements.end(), [](Interval n) { return n.min < 1; });
    made.all = b.convert(given, ElementType::I64);
    made.last = b.op("Sub", {made.all, b.i64_scalar(1)});
    made.time = counted(b, dimension_of(b, x, 1));
    made.inside = b.op("Less", {made.time, b.unsqueeze(made.all, {1})});
    made.shown = b.unsqueeze(made.inside, {2});
    return made;
  }

  /// Rows of each sequence: x [batch, time, …], places [batch, …, 1].
  static OutPort taken(Builder& b, OutPort x, OutPort places) {
    return b.op("GatherND", {x, places}, {{"batch_dims", int64_t{1}}});
  }

  /// x with 1 behind the length, else 0.
  static OutPort marked(Builder& b, OutPort x, const Lengths& lengths) {
    const OutPort zero = b.scalar_like(x, 0), one = b.scalar_like(x, 1);
    return b.concat({x, b.op("Select", {lengths.shown, zero, one})}, 2);
  }

  /// W with a column that opens the forget gate and closes the input gate. Its number fits f16.
  static OutPort keeping(Builder& b, OutPort w, int64_t hidden) {
    constexpr double kFarOff = 30000;
    const auto rows = [&](int64_t gates, double value) { return splat_like(b, w, {1, gates * hidden, 1}, value); };
    const OutPort forget = rows(1, kFarOff), input = rows(1, -kFarOff), others = rows(2, 0);
    return b.concat({w, b.concat({forget, input, others}, 1)}, 2);
  }

  /// The results of one direction, as the operation has them. `weights`: W, R, B.
  static std::vector<OutPort> direction(Builder& b, const Node& node, const Lengths& lengths, bool reverse,
                                        const std::vector<OutPort>& states, std::vector<OutPort> weights, bool cell) {
    OutPort x = node.source(0), places;
    if (reverse) {
      const OutPort from_end = b.op("Sub", {b.unsqueeze(lengths.last, {1}), lengths.time});
      places = b.unsqueeze(b.op("Select", {lengths.inside, from_end, lengths.time}), {2});
      x = taken(b, x, places);
    }
    if (cell) x = marked(b, x, lengths), weights[0] = keeping(b, weights[0], node.get_int("hidden_size"));
    const OutPort sizes = b.shape_of(x);
    const OutPort whole =
        b.op("Broadcast", {b.gather(sizes, b.i64({1}), 0), b.gather(sizes, b.i64({0}), 0)}, {{"mode", "numpy"}});
    std::vector<OutPort> inputs{x};
    inputs.insert(inputs.end(), states.begin(), states.end());
    inputs.push_back(whole);
    inputs.insert(inputs.end(), weights.begin(), weights.end());
    Attributes attributes = node.attributes;
    attributes.set("direction", std::string("forward"));
    Node& made = b.node(node.op().c_str(), inputs, std::move(attributes), states_of(node) + 1);

    const OutPort all = b.squeeze(made.out(0), {1}), shown = reverse ? taken(b, all, places) : all;
    const OutPort y = b.op("Select", {lengths.shown, shown, b.scalar_like(shown, 0)});
    const OutPort place = lengths.may_be_zero ? b.op("Maximum", {lengths.last, b.i64_scalar(0)}) : lengths.last;
    OutPort hidden = b.unsqueeze(taken(b, all, b.unsqueeze(place, {1})), {1});
    if (lengths.may_be_zero) {
      const OutPort some = b.unsqueeze(b.op("Greater", {lengths.all, b.i64_scalar(0)}), {1, 2});
      hidden = b.op("Select", {some, hidden, states[0]});
    }
    std::vector<OutPort> results{b.unsqueeze(y, {1}), hidden};
    if (cell) results.push_back(made.out(2));
    return results;
  }

  static void replace(Graph& graph, Node& node) {
    Builder b(node);
    const int states = states_of(node);
    const bool both = node.get_string("direction") == "bidirectional";
    const bool cell = node.out_count() > 2 && !node.out(2).disconnected();
    const Lengths lengths = lengths_of(b, node.source(states + 1), node.source(0));
    std::vector<std::vector<OutPort>> made;
    for (int64_t d = 0; d < (both ? 2 : 1); ++d) {
      const auto part = [&](int input, int64_t axis) {
        return both ? b.gather(node.source(input), b.i64({d}), axis) : node.source(input);
      };
      std::vector<OutPort> first, weights;
      for (int i = 1; i <= states; ++i) first.push_back(part(i, 1));
      for (int i = states + 2; i < states + 5; ++i) weights.push_back(part(i, 0));
      const bool reverse = d == 1 || node.get_string("direction") == "reverse";
      made.push_back(direction(b, node, lengths, reverse, first, std::move(weights), cell));
    }
    for (int i = 0; i < node.out_count() && i < static_cast<int>(made[0].size()); ++i) {
      const auto at = static_cast<size_t>(i);
      const OutPort result = both ? b.concat({made[0][at], made[1][at]}, 1) : made[0][at];
      node.out(i).connection().set_source(result, TensorNames::Merge);
    }
    graph.remove(node);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(LengthsOfOpenSequence)
}  // namespace mo

// Before: y[, h, c] = LiteLSTM(x, weights [hidden, input] of the gates i f c o, recurrent weights [hidden, output],
//         peepholes of i f o, biases of i f c o, projection [output, hidden] and its bias, h, c, norms of i f c o)
//         {form, activation, cell_clip, proj_clip, time_major}; with form BIDIRECTIONAL_SEQUENCE_LSTM all of it twice
// After:  an LSTMSequence (through LSTM) for a layer without peepholes, projection, norms, limits and coupled gates;
//         else a TensorIterator of its formula, or for form LSTM the formula itself
// Before: h, c = LiteBasicLSTM(x, h, weights [4 * hidden, input + hidden] of the gates i c f o, bias, c)
// After:  its formula
// Conditions: the states are inputs; their next values are the outputs behind those of the operator.

#include "core/build/loop_builder.h"
#include "core/decompose/nested.h"
#include "core/front/tflite/decompose/activation.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

/// The inputs of one direction; those that are absent are empty.
struct Layer {
  OutPort x, w[4], r[4], peephole[3], bias[4], projection, projection_bias, norm[4], h, c;
  OutPort second, second_w[4];  ///< a second input, with its weights

  bool is_plain() const {
    for (int i = 0; i < 4; ++i)
      if (!w[i] || !r[i] || !bias[i] || norm[i]) return false;
    return !peephole[0] && !peephole[1] && !peephole[2] && !projection && !second;
  }
};

struct Results {
  OutPort y, h, c;
};

class DecomposeLiteLSTM final : public Decomposition {
 public:
  Names ops() const override { return {"LiteLSTM", "LiteBasicLSTM"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    if (node.op() == "LiteBasicLSTM") return basic(b, node);
    const std::string form = node.get_string("form");
    if (form != "BIDIRECTIONAL_SEQUENCE_LSTM") {
      const Layer layer = layer_of(node, 1, 18);
      const Results made = form == "LSTM" ? one_step(b, node, layer) : sequence(b, node, layer, false);
      return {made.y, made.h, made.c};
    }
    Layer forward = layer_of(node, 1, 35), backward = layer_of(node, 18, 37);
    if (node.has_in(39)) {
      for (int i = 0; i < 4; ++i) {
        forward.second_w[i] = node.source(40 + i);
        backward.second_w[i] = node.source(44 + i);
      }
      if (forward.second_w[1])
        forward.second = backward.second = node.source(39);
      else
        backward.x = node.source(39);
    }
    const Results one = sequence(b, node, forward, false), other = sequence(b, node, backward, true);
    if (node.get_bool("merge_outputs")) return {b.concat({one.y, other.y}, -1), one.h, one.c, other.h, other.c};
    return {one.y, other.y, one.h, one.c, other.h, other.c};
  }

 private:
  /// The inputs from `first` on, with the states at `state`.
  static Layer layer_of(const Node& node, int first, int state) {
    Layer layer;
    layer.x = node.source(0);
    for (int i = 0; i < 4; ++i) {
      layer.w[i] = node.source(first + i);
      layer.r[i] = node.source(first + 4 + i);
      layer.bias[i] = node.source(first + 11 + i);
      if (state == 18) layer.norm[i] = node.source(20 + i);
    }
    for (int i = 0; i < 3; ++i) layer.peephole[i] = node.source(first + 8 + i);
    layer.projection = node.source(first + 15);
    layer.projection_bias = node.source(first + 16);
    for (const int i : {first + 1, first + 2, first + 3, first + 5, state, state + 1}) require_input(node, i);
    layer.h = node.source(state);
    layer.c = node.source(state + 1);
    return layer;
  }

  static Results sequence(Builder& b, const Node& node, const Layer& layer, bool reverse) {
    const int64_t time = node.get_bool("time_major") ? 0 : 1;
    const bool plain = layer.is_plain() && node.get_float("cell_clip") == 0 && node.get_int("activation") == 4;
    if (plain) return lstm(b, layer, reverse, time == 0);
    LoopBuilder loop(b);
    Layer inside = layer;
    inside.x = loop.each(layer.x, time, reverse);
    if (layer.second) inside.second = loop.each(layer.second, time, reverse);
    inside.h = loop.state(layer.h);
    inside.c = loop.state(layer.c);
    const auto enter = [&](OutPort& port) {
      if (port) port = loop.invariant(port);
    };
    for (int i = 0; i < 4; ++i) {
      for (OutPort* port : {&inside.w[i], &inside.r[i], &inside.bias[i], &inside.norm[i], &inside.second_w[i]})
        enter(*port);
      if (i < 3) enter(inside.peephole[i]);
    }
    enter(inside.projection);
    enter(inside.projection_bias);
    const Results step = one_step(loop.body(), node, inside);
    const OutPort y = loop.collect(step.y, time, reverse);
    const OutPort h = loop.carry(inside.h, step.h), c = loop.carry(inside.c, step.c);
    loop.finish();
    return {y, h, c};
  }

  /// ONNX's LSTM has the gates in the order i o f c, and a dimension of directions.
  static Results lstm(Builder& b, const Layer& layer, bool reverse, bool time_first) {
    const int64_t direction = time_first ? 0 : 1;
    const auto gates = [&](const OutPort(&of)[4]) {
      return b.unsqueeze(b.concat({of[0], of[3], of[1], of[2]}, 0), {0});
    };
    const OutPort w = gates(layer.w), r = gates(layer.r), bias = gates(layer.bias);
    const OutPort both = b.concat({bias, b.op("Mul", {bias, b.scalar_like(bias, 0)})}, 1);
    const OutPort h = b.unsqueeze(layer.h, {direction}), c = b.unsqueeze(layer.c, {direction});
    const std::vector<OutPort> made =
        decomposed(b, "LSTM", {layer.x, w, r, both, OutPort(), h, c},
                   Attributes{{"direction", reverse ? "reverse" : "forward"}, {"layout", !time_first}}, 3);
    return {b.squeeze(made[0], {time_first ? 1 : 2}), b.squeeze(made[1], {direction}), b.squeeze(made[2], {direction})};
  }

  static OutPort limited(Builder& b, OutPort x, double limit) {
    return limit > 0 ? b.op("AttributedClamp", {x}, {{"min", -limit}, {"max", limit}}) : x;
  }

  /// (x - mean) / deviation, along the last axis.
  static OutPort normalized(Builder& b, OutPort x) {
    const OutPort centred = b.op("Sub", {x, b.reduce("ReduceMean", x, {-1}, true)});
    const OutPort variance = b.reduce("ReduceMean", b.op("Mul", {centred, centred}), {-1}, true);
    return b.op("Div", {centred, b.op("Sqrt", {b.op("Add", {variance, b.scalar_like(x, 1e-8)})})});
  }

  /// The sum that gate `i` squashes; `cell` is what its peephole sees.
  static OutPort gate(Builder& b, const Layer& in, int i, int peephole, OutPort cell) {
    OutPort sum = b.matmul({in.x, in.w[i]}, true);
    if (in.second && in.second_w[i]) sum = b.op("Add", {sum, b.matmul({in.second, in.second_w[i]}, true)});
    sum = b.op("Add", {sum, b.matmul({in.h, in.r[i]}, true)});
    if (peephole >= 0 && in.peephole[peephole]) sum = b.op("Add", {sum, b.op("Mul", {cell, in.peephole[peephole]})});
    if (in.norm[i]) sum = b.op("Mul", {normalized(b, sum), in.norm[i]});
    return in.bias[i] ? b.op("Add", {sum, in.bias[i]}) : sum;
  }

  static Results one_step(Builder& b, const Node& node, const Layer& in) {
    const int64_t activation = node.get_int("activation");
    const OutPort forget = b.op("Sigmoid", {gate(b, in, 1, 1, in.c)});
    const OutPort candidate = tflite::activated(b, gate(b, in, 2, -1, {}), activation);
    // Without weights of its own, the input gate is 1 - forget gate.
    const OutPort input =
        in.w[0] ? b.op("Sigmoid", {gate(b, in, 0, 0, in.c)}) : b.op("Sub", {b.scalar_like(forget, 1), forget});
    OutPort c = b.op("Add", {b.op("Mul", {forget, in.c}), b.op("Mul", {input, candidate})});
    c = limited(b, c, node.get_float("cell_clip"));
    const OutPort output = b.op("Sigmoid", {gate(b, in, 3, 2, c)});
    OutPort h = b.op("Mul", {output, tflite::activated(b, c, activation)});
    if (in.projection) {
      h = b.matmul({h, in.projection}, true);
      if (in.projection_bias) h = b.op("Add", {h, in.projection_bias});
      h = limited(b, h, node.get_float("proj_clip"));
    }
    return {h, h, c};
  }

  static std::vector<OutPort> basic(Builder& b, Node& node) {
    for (int i = 0; i < 5; ++i) require_input(node, i);
    const OutPort both = b.concat({node.source(0), node.source(1)}, 1);
    const OutPort sum = b.op("Add", {b.matmul({both, node.source(2)}, true), node.source(3)});
    Node& gates = b.node("Split", {sum, b.i64_scalar(1)}, {{"num_splits", int64_t{4}}}, 4);
    const OutPort input = b.op("Sigmoid", {gates.out(0)}), candidate = b.op("Tanh", {gates.out(1)});
    const OutPort forget = b.op("Sigmoid", {gates.out(2)}), output = b.op("Sigmoid", {gates.out(3)});
    const OutPort c = b.op("Add", {b.op("Mul", {input, candidate}), b.op("Mul", {forget, node.source(4)})});
    const OutPort h = b.op("Mul", {output, b.op("Tanh", {c})});
    std::vector<OutPort> results{h, c, both, sum};
    if (node.out_count() > 4) results.insert(results.end(), {h, c});
    return results;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeLiteLSTM)
}  // namespace mo

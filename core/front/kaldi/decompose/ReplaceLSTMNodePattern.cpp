// Before: r = ProjectedLSTMCell(x, W_x, W_r, b, w_i, w_f, w_o, W_rm) {clip_value, cell_dim, output_dim}
// After:  g, i, f, o = W_x x + W_r r' + b; c = Clamp(Sigmoid(f + w_f c') c' + Sigmoid(i + w_i c') Tanh(g))
//         r = W_rm (Sigmoid(o + w_o c) Tanh(c)); r' and c', of the frame before, are states
// Conditions: none. Without a positive clip_value there is no Clamp.

#include "core/front/kaldi/decompose/lowering.h"
#include "core/front/kaldi/time/recurrence.h"

namespace mo {
namespace {

class ReplaceLSTMNodePattern final : public kaldi::Lowering {
  std::string_view op() const override { return "ProjectedLSTMCell"; }

  OutPort lowered(Builder& b, Node& node) override {
    const int64_t size = node.get_int("cell_dim");
    const double clip = node.get_float("clip_value");
    const std::string cell_pair = node.name() + "/c", output_pair = node.name() + "/r";
    const OutPort old = kaldi::earlier_state(b, cell_pair, 1, size);
    const OutPort output = kaldi::earlier_state(b, output_pair, 1, node.get_int("output_dim"));
    const OutPort of_x = b.matmul({node.source(0), node.source(1)}, true);
    const OutPort of_output = b.matmul({output, node.source(2)}, true);
    const OutPort sums = b.op("Add", {b.op("Add", {of_x, node.source(3)}), of_output});
    Node& gates = b.node("Split", {sums, b.i64_scalar(1)}, {{"num_splits", 4}}, 4);
    const auto gate = [&](int number, OutPort state, int weight) {
      const OutPort seen = b.op("Mul", {state, node.source(weight)});
      return b.op("Sigmoid", {b.op("Add", {gates.out(number), seen})});
    };
    const OutPort input = gate(1, old, 4), forget = gate(2, old, 5);
    const OutPort added = b.op("Mul", {input, b.op("Tanh", {gates.out(0)})}), kept = b.op("Mul", {forget, old});
    OutPort cell = b.op("Add", {added, kept});
    if (clip > 0) cell = b.op("AttributedClamp", {cell}, {{"min", -clip}, {"max", clip}});
    kaldi::keep_state(b, cell_pair, cell);
    const OutPort open = gate(3, cell, 6), squashed = b.op("Tanh", {cell});
    const OutPort y = b.matmul({b.op("Mul", {open, squashed}), node.source(7)}, true);
    kaldi::keep_state(b, output_pair, y);
    return y;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(ReplaceLSTMNodePattern)
}  // namespace mo

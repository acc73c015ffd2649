// Before: y = LstmNonLinearity(x, w_i, w_f, w_o) {cell_dim, use_dropout}; x has i, f, c, o, c' and with use_dropout a
//         factor for i, f and o
// After:  c = Sigmoid(f + w_f c') c' + Sigmoid(i + w_i c') Tanh(c); m = Sigmoid(o + w_o c) Tanh(c); y = Concat(c, m)
// Conditions: none.

#include "core/front/kaldi/decompose/lowering.h"

namespace mo {
namespace {

class ReplaceLstmNonLinearityPattern final : public kaldi::Lowering {
  std::string_view op() const override { return "LstmNonLinearity"; }

  OutPort lowered(Builder& b, Node& node) override {
    const bool scaled = node.get_bool("use_dropout");
    Ints sizes(5, node.get_int("cell_dim"));
    if (scaled) sizes.insert(sizes.end(), 3, 1);
    Node& parts = b.split(node.source(0), 1, sizes);
    const OutPort old = parts.out(4);
    const auto gate = [&](int sums, OutPort state, int weight, int factor) {
      const OutPort seen = b.op("Mul", {state, node.source(weight)});
      const OutPort open = b.op("Sigmoid", {b.op("Add", {parts.out(sums), seen})});
      return scaled ? b.op("Mul", {open, parts.out(factor)}) : open;
    };
    const OutPort input = gate(0, old, 1, 5), forget = gate(1, old, 2, 6);
    const OutPort kept = b.op("Mul", {forget, old}), added = b.op("Mul", {input, b.op("Tanh", {parts.out(2)})});
    const OutPort cell = b.op("Add", {kept, added});
    const OutPort output = gate(3, cell, 3, 7);
    const OutPort hidden = b.op("Mul", {output, b.op("Tanh", {cell})});
    return b.concat({cell, hidden}, 1);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(ReplaceLstmNonLinearityPattern)
}  // namespace mo

// Before: y = MelWeightMatrix(num_mel_bins, dft_length, sample_rate, lower_edge, upper_edge) {output_datatype}
// After:  edges = Floor((dft_length + 1) / sample_rate * hertz(Range(num_mel_bins + 2) * step + mel(lower_edge)))
//         y[j, i] = rising from edges[i] to edges[i + 1], falling from there to edges[i + 2], else 0
// Conditions: none. Known inputs give a constant, computed in f64 so that rounding does not move an edge.

#include "core/decompose/math/constants.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeMelWeightMatrix final : public Decomposition {
 public:
  Names ops() const override { return {"MelWeightMatrix"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort bins = whole(b, node.source(0)), length = whole(b, node.source(1));
    const OutPort edges = mel_edges(b, node, bins, length);
    const OutPort spectrum = b.op("Add", {b.op("Div", {length, b.i64_scalar(2)}), b.i64_scalar(1)});
    const OutPort j = b.unsqueeze(b.convert(range(b, spectrum), ElementType::F64), {1});
    const OutPort lower = part(b, edges, bins, 0), center = part(b, edges, bins, 1), higher = part(b, edges, bins, 2);

    const OutPort zero = number(b, 0), one = number(b, 1);
    const OutPort rise = b.op("Sub", {center, lower}), fall = b.op("Sub", {higher, center});
    const OutPort steep = b.op("Equal", {rise, zero});
    const OutPort rising =
        b.op("Select", {steep, one, b.op("Div", {b.op("Sub", {j, lower}), b.op("Select", {steep, one, rise})})});
    const OutPort in_rise = both(b, {b.op("GreaterEqual", {j, lower}), b.op("LessEqual", {j, center})});
    const OutPort falling = b.op("Div", {b.op("Sub", {higher, j}), b.op("Maximum", {fall, one})});
    const OutPort in_fall = both(b, {b.op("GreaterEqual", {j, center}), b.op("Less", {j, higher})});
    const OutPort y = b.op("Select", {in_fall, falling, b.op("Select", {in_rise, rising, zero})});
    return {b.convert(y, node.get_type("output_datatype"))};
  }

 private:
  static OutPort number(Builder& b, double value) { return b.constant(make_scalar(ElementType::F64, value)); }
  static OutPort whole(Builder& b, OutPort x) { return reshaped(b, b.convert(x, ElementType::I64), {}); }
  static OutPort both(Builder& b, List<OutPort> conditions) { return b.op("LogicalAnd", conditions); }
  static OutPort range(Builder& b, OutPort size) {
    return b.op("Range", {b.i64_scalar(0), size, b.i64_scalar(1)}, {{"output_type", ElementType::I64}});
  }

  /// 2595 * log10(1 + hertz / 700)
  static OutPort mel(Builder& b, OutPort hertz) {
    constexpr double kPerLog = 2595 / 2.302585092994046;
    const OutPort ratio = b.op("Div", {b.convert(reshaped(b, hertz, {}), ElementType::F64), number(b, 700)});
    return b.op("Mul", {b.op("Log", {b.op("Add", {ratio, number(b, 1)})}), number(b, kPerLog)});
  }

  static OutPort mel_edges(Builder& b, const Node& node, OutPort bins, OutPort length) {
    const OutPort count = b.op("Add", {bins, b.i64_scalar(2)});
    const OutPort from = mel(b, node.source(3));
    const OutPort step = b.op("Div", {b.op("Sub", {mel(b, node.source(4)), from}), b.convert(count, ElementType::F64)});
    const OutPort mels = b.op("Add", {b.op("Mul", {b.convert(range(b, count), ElementType::F64), step}), from});
    const OutPort power = b.op("Pow", {number(b, 10), b.op("Div", {mels, number(b, 2595)})});
    const OutPort hertz = b.op("Mul", {b.op("Sub", {power, number(b, 1)}), number(b, 700)});
    const OutPort scaled = b.op("Mul", {hertz, b.convert(b.op("Add", {length, b.i64_scalar(1)}), ElementType::F64)});
    return b.op("Floor", {b.op("Div", {scaled, b.convert(whole(b, node.source(2)), ElementType::F64)})});
  }

  /// `count` edges, beginning with the one at `first`.
  static OutPort part(Builder& b, OutPort edges, OutPort count, int64_t first) {
    return b.gather(edges, b.op("Add", {range(b, count), b.i64_scalar(first)}), 0);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeMelWeightMatrix)
}  // namespace mo

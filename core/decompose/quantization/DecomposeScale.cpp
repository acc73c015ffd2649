// Before: y, s = QuantizedByScale(x, scale) {most, least, even, axis, real}; without scale it is the largest magnitude
// After:  y = FakeQuantize(x, least * step, most * step, least, most), with real FakeQuantize to the same range; step
// is
//         scale / most
//         scale not constant, or steps whose halves FakeQuantize rounds otherwise: Clamp(Round(x / step)), with real
//         times step
// Before: y = DequantizedByScale(x, scale) {steps, axis}
// After:  y = x * (scale / steps); of a FakeQuantize of the above: one FakeQuantize of real numbers
//         x of integers: Convert(x) * (scale / steps), so that constants stay narrow
// Conditions: along an axis the rank is known.

#include "core/decompose/math/constants.h"
#include "core/decompose/quantization/quantization.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeScale final : public Decomposition {
 public:
  Names ops() const override { return {"QuantizedByScale", "DequantizedByScale"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    require_input(node, 0);
    const OutPort x = node.source(0), scale = node.source(1);
    if (node.op() == "QuantizedByScale") return quantized(b, x, scale, node);
    require_input(node, 1);
    const OutPort steps = splat_like(b, scale, {}, node.get_float("steps"));
    if (is_integer(x.tensor().type))
      return {dequantize(b, x, b.op("Div", {scale, steps}), {}, {.axis = node.get_int("axis")}, {})};
    const OutPort step = b.op("Div", {along(b, scale, x, node.get_int("axis")), steps});
    if (const OutPort y = of_fake_quantize(b, x, step)) return {y};
    return {b.op("Mul", {x, convert_like(b, step, x)})};
  }

 private:
  /// One number for each index of the axis in a shape that broadcasts to x; a scalar for the whole.
  static OutPort along(Builder& b, OutPort scale, OutPort x, int64_t axis) {
    if (scale.tensor().shape.elements() == Interval(1)) return reshaped(b, scale, {});
    const int rank = x.tensor().shape.rank();
    if (rank < 0) throw Error(Code::UnsupportedForm, "quantisation along an axis of data of unknown rank");
    Shape shape(static_cast<size_t>(rank), 1);
    const Dimension count = scale.tensor().shape.elements();
    shape[normalize_axis(axis, rank)] = count.is_exact() ? count.min : -1;
    return reshaped(b, scale, shape);
  }

  static OutPort largest(Builder& b, OutPort x, int64_t axis) {
    const OutPort magnitudes = b.op("Abs", {x});
    if (axis < 0) return b.reshape(reduced_to_scalar(b, "ReduceMax", magnitudes), {1});
    const int rank = x.tensor().shape.rank();
    if (rank < 0) throw Error(Code::UnsupportedForm, "quantisation along an axis of data of unknown rank");
    const auto at = static_cast<int64_t>(normalize_axis(axis, rank));
    Ints others;
    for (int64_t i = 0; i < rank; ++i)
      if (i != at) others.push_back(i);
    return others.empty() ? magnitudes : b.reduce("ReduceMax", magnitudes, others, false);
  }

  static std::vector<OutPort> quantized(Builder& b, OutPort x, OutPort scale, const Node& node) {
    const int64_t most = node.get_int("most"), least = node.get_int("least"), axis = node.get_int("axis");
    const bool real = node.get_bool("real"), constant = x.tensor().value || (scale && scale.tensor().value);
    // From an odd number on, FakeQuantize rounds halves to odd steps.
    const bool known = constant && (real || (node.get_bool("even") && least % 2 == 0));
    if (!scale) scale = largest(b, x, axis);
    const OutPort full = convert_like(b, along(b, scale, x, axis), x);
    const auto number = [&](double value) { return splat_like(b, x, {}, value); };
    const OutPort step = b.op("Div", {full, number(static_cast<double>(most))});
    if (known) {
      const OutPort low = b.op("Mul", {step, number(static_cast<double>(least))});
      const OutPort high = b.op("Mul", {step, number(static_cast<double>(most))});
      const OutPort y_low = real ? low : number(static_cast<double>(least));
      const OutPort y_high = real ? high : number(static_cast<double>(most));
      return {b.op("FakeQuantize", {x, low, high, y_low, y_high}, {{"levels", most - least + 1}}), scale};
    }
    const OutPort above_0 = b.op("Maximum", {step, number(1e-30)});
    const char* mode = node.get_bool("even") ? "half_to_even" : "half_away_from_zero";
    const OutPort rounded = b.op("Round", {b.op("Div", {x, above_0})}, {{"mode", mode}});
    const OutPort y =
        b.op("AttributedClamp", {rounded}, {{"min", static_cast<double>(least)}, {"max", static_cast<double>(most)}});
    return {real ? b.op("Mul", {y, step}) : y, scale};
  }

  /// Of a FakeQuantize that gives numbers of steps, the same in real numbers; empty for other nodes.
  static OutPort of_fake_quantize(Builder& b, OutPort x, OutPort step) {
    const Node& from = x.node();
    if (from.op() != "FakeQuantize" || !step.tensor().value) return {};
    const OutPort least = from.source(3), most = from.source(4);
    const auto low = known_number(b, least), high = known_number(b, most);
    if (!low || !high || *high - *low + 1 != static_cast<double>(from.get_int("levels"))) return {};
    const OutPort y_low = b.op("Mul", {step, least}), y_high = b.op("Mul", {step, most});
    return b.op("FakeQuantize", {from.source(0), from.source(1), from.source(2), y_low, y_high},
                {{"levels", from.get_int("levels")}});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeScale)
}  // namespace mo

// Before: y = QuantizeLinear(x, scale [, zero_point]) {axis, block_size, output_dtype, precision, saturate}
// After:  y = Convert(FakeQuantize(x, low, high, least, most)); floating-point types: Convert(Clamp(x / scale))
// Before: y = DequantizeLinear(x, scale [, zero_point]) {axis, block_size, output_dtype}
// After:  y = (Convert(x) - Convert(zero_point)) * scale; after a QuantizeLinear with constants: one FakeQuantize
// Before: y, scale, zero_point = DynamicQuantizeLinear(x)
// After:  scale = (max(x, 0) - min(x, 0)) / 255; zero_point = Clamp(Round(-min / scale))
//         y = Clamp(Round(x / scale) + zero_point); shorter than ONNX's own definition, which quantises with a scale
//         that is not constant
// Conditions: types of at most 16 bits; blocks and axes need a known rank.

#include "core/decompose/math/constants.h"
#include "core/decompose/quantization/quantization.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeQuantization final : public Decomposition {
 public:
  Names ops() const override { return {"QuantizeLinear", "DequantizeLinear", "DynamicQuantizeLinear"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    require_input(node, 0);
    if (node.op() == "DynamicQuantizeLinear") return dynamic(b, node.source(0));
    require_input(node, 1);
    const OutPort x = node.source(0), scale = node.source(1), zero_point = node.source(2);
    const Granularity by{node.get_int("axis"), node.get_int("block_size")};
    const ElementType given = node.get_type("output_dtype");
    if (node.op() == "DequantizeLinear") return {dequantize(b, x, scale, zero_point, by, given)};
    ElementType type = zero_point ? zero_point.tensor().type : given;
    if (type == ElementType::Unknown) type = ElementType::U8;
    return {quantize(b, x, scale, zero_point, by, type, node.get_type("precision"), node.get_bool("saturate"))};
  }

 private:
  static std::vector<OutPort> dynamic(Builder& b, OutPort x) {
    const OutPort zero = splat_like(b, x, {}, 0);
    const OutPort most = b.op("Maximum", {reduced_to_scalar(b, "ReduceMax", x), zero});
    const OutPort least = b.op("Minimum", {reduced_to_scalar(b, "ReduceMin", x), zero});
    const OutPort scale = b.op("Div", {b.op("Sub", {most, least}), splat_like(b, x, {}, 255)});
    const OutPort zero_point = to_byte(b, rounded(b, b.op("Div", {b.op("Sub", {zero, least}), scale})));
    const OutPort steps = rounded(b, b.op("Div", {x, scale}));
    return {b.convert(to_byte(b, b.op("Add", {steps, zero_point})), ElementType::U8), scale,
            b.convert(zero_point, ElementType::U8)};
  }

  static OutPort rounded(Builder& b, OutPort x) { return b.op("Round", {x}, {{"mode", "half_to_even"}}); }
  static OutPort to_byte(Builder& b, OutPort x) { return b.op("AttributedClamp", {x}, {{"min", 0.0}, {"max", 255.0}}); }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeQuantization)
}  // namespace mo

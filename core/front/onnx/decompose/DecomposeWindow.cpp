// Before: y = HannWindow(size), HammingWindow(size), BlackmanWindow(size) {periodic, output_datatype}
// After:  y = a0 - a1 * Cos(t) [+ a2 * Cos(2 t)], t = Range(0, size) * 2π / period
//         period is size, or size - 1 when not periodic
// Conditions: none. A known size gives a constant. ONNX's own definition gives none, and has each cosine twice.

#include "core/decompose/math/constants.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeWindow final : public Decomposition {
 public:
  Names ops() const override { return {"HannWindow", "HammingWindow", "BlackmanWindow"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const ElementType type = node.get_type("output_datatype");
    const ElementType precision = type == ElementType::F64 ? type : ElementType::F32;
    const OutPort size = reshaped(b, b.convert(node.source(0), ElementType::I64), {});
    const OutPort period = node.get_bool("periodic") ? size : b.op("Sub", {size, b.i64_scalar(1)});
    const OutPort range = b.op("Range", {b.i64_scalar(0), size, b.i64_scalar(1)}, {{"output_type", ElementType::I64}});
    constexpr double kTurn = 6.283185307179586;
    const OutPort step = b.op("Div", {number(b, precision, kTurn), b.convert(period, precision)});
    const OutPort angle = b.op("Mul", {b.convert(range, precision), step});

    const Weights w = weights(node.op());
    OutPort y = b.op(
        "Sub", {number(b, precision, w.constant), b.op("Mul", {b.op("Cos", {angle}), number(b, precision, w.first)})});
    if (w.second != 0) {
      const OutPort twice = b.op("Cos", {b.op("Mul", {angle, number(b, precision, 2)})});
      y = b.op("Add", {y, b.op("Mul", {twice, number(b, precision, w.second)})});
    }
    return {b.convert(y, type)};
  }

 private:
  struct Weights {
    double constant, first, second;
  };
  static Weights weights(const std::string& op) {
    if (op == "HannWindow") return {0.5, 0.5, 0};
    if (op == "HammingWindow") return {25.0 / 46, 21.0 / 46, 0};
    return {0.42, 0.5, 0.08};
  }
  static OutPort number(Builder& b, ElementType type, double value) { return b.constant(make_scalar(type, value)); }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeWindow)
}  // namespace mo

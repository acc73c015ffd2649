// Before: y = RandomUniform {shape, low, high}, RandomNormal {shape, mean, scale}, both with dtype and seed
//         y = RandomUniformLike(x), RandomNormalLike(x) of the shape of x
// After:  y = RandomUniform(shape, low, high), or mean + scale * sqrt(-2 log(u)) * cos(2 pi v) with uniform u and v
// Before: y = Bernoulli(x) {dtype}
// After:  y = RandomUniform(ShapeOf(x), 0, 1) < x
// Before: y = MultinomialONNX(x) {sample_size, dtype}
// After:  y = Multinomial(x, sample_size) {with_replacement, log_probs}
// Conditions: none.

#include "core/front/onnx/decompose/random.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeRandom final : public Decomposition {
 public:
  Names ops() const override {
    return {"AttributedRandomUniform", "RandomNormal", "RandomUniformLike",
            "RandomNormalLike",        "Bernoulli",    "MultinomialONNX"};
  }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const std::string& op = node.op();
    const bool of_shape = op == "AttributedRandomUniform" || op == "RandomNormal";
    const OutPort x = node.source(0);
    if (op == "MultinomialONNX") return {multinomial(b, node, x)};
    const OutPort shape = of_shape ? b.i64(node.get_ints("shape")) : b.shape_of(x);
    return {
        b.convert(numbers(b, node, x, shape), node.get_type("dtype", of_shape ? ElementType::F32 : x.tensor().type))};
  }

 private:
  static OutPort numbers(Builder& b, const Node& node, OutPort x, OutPort shape) {
    if (node.op() == "Bernoulli")
      return b.op("Less", {onnx::uniform_numbers(b, node, shape, 0, 1), b.convert(x, ElementType::F32)});
    if (node.op() == "RandomNormal" || node.op() == "RandomNormalLike") return normal(b, node, shape);
    return onnx::uniform_numbers(b, node, shape, node.get_float("low"), node.get_float("high"));
  }

  static OutPort normal(Builder& b, const Node& node, OutPort shape) {
    constexpr double kLeast = 1.1754943508222875e-38;  // keeps the logarithm finite
    constexpr float kTwoPi = 6.283185307179586F;
    const OutPort u = onnx::uniform_numbers(b, node, shape, kLeast, 1),
                  v = onnx::uniform_numbers(b, node, shape, 0, 1, 1);
    const OutPort radius = b.op("Sqrt", {b.op("Mul", {b.op("Log", {u}), b.f32_scalar(-2)})});
    const OutPort unit = b.op("Mul", {radius, b.op("Cos", {b.op("Mul", {v, b.f32_scalar(kTwoPi)})})});
    const OutPort scale = b.f32_scalar(static_cast<float>(node.get_float("scale")));
    return b.op("Add", {b.op("Mul", {unit, scale}), b.f32_scalar(static_cast<float>(node.get_float("mean")))});
  }

  static OutPort multinomial(Builder& b, const Node& node, OutPort x) {
    Attributes attributes = onnx::seeds_of(node);
    attributes.set("convert_type", node.get_type("dtype"));
    attributes.set("with_replacement", true);
    attributes.set("log_probs", true);
    return b.op("Multinomial", {x, b.i64({node.get_int("sample_size")})}, attributes);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeRandom)
}  // namespace mo

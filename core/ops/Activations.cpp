// Activations: the output has the input's shape and type.
// ReLU, Sigmoid, Tanh (opset1); Elu (opset1; alpha); AttributedClamp (IR Clamp, opset1; min, max); PReLU (opset1;
// slope: one number, one per channel, or a shape that broadcasts to the data); Selu (opset1; alpha, lambda) and
// HardSigmoid (opset1; alpha, beta), whose parameters are scalar inputs; HSwish, Mish, SoftPlus (opset4); Swish
// (opset4; input beta is optional); HSigmoid (opset5); Gelu (opset7; approximation_mode ERF, TANH); SoftSign (opset9).

#include <algorithm>
#include <cmath>

#include "core/base/libm.h"
#include "core/ops/elementwise.h"

namespace mo {
namespace {

template <typename T>
T relu_of(T x) {
  return x < 0 ? T(0) : x;
}
float sigmoid_f32(float x) { return 1 / (1 + libm::expf(-x)); }
double sigmoid_f64(double x) { return 1 / (1 + libm::exp(-x)); }

Interval relu_ints(Interval a) { return max(a, Interval(0)); }

void infer_relu(InferContext& c) {
  infer_same_as_input(c);
  map_ints(c, relu_ints);
}
template <float (*F32)(float), double (*F64)(double)>
void fold_activation(InferContext& c) {
  fold_elements(c, UnaryFold{F32, F64, nullptr});
}
void fold_relu(InferContext& c) { fold_elements(c, UnaryFold{relu_of<float>, relu_of<double>, relu_ints}); }

/// A bound, already rounded, as an integer.
int64_t whole_bound(double value) {
  return value > -9e18 && value < 9e18 ? static_cast<int64_t>(value)
         : value < 0                   ? -Interval::kInfinity
                                       : Interval::kInfinity;
}
void infer_clamp(InferContext& c) {
  infer_same_as_input(c);
  const auto& known = c.ints(0);
  if (!known) return;
  const double lower = c.node().get_float("min", -HUGE_VAL), upper = c.node().get_float("max", HUGE_VAL);
  IntTensor out{known->shape, {}};
  for (const Interval& e : known->elements)
    out.elements.push_back(
        min(max(e, Interval(whole_bound(std::ceil(lower)))), Interval(whole_bound(std::floor(upper)))));
  c.set_ints(0, std::move(out));
}
void fold_clamp(InferContext& c) {
  const ElementType type = c.type(0);
  auto values = is_float(type) ? read_doubles(*c.value(0), c.files(), Model::kFoldOne) : std::nullopt;
  if (!values) return;
  const double lower = c.node().get_float("min", -HUGE_VAL), upper = c.node().get_float("max", HUGE_VAL);
  for (double& v : *values)
    if (!std::isnan(v)) v = std::min(std::max(v, lower), upper);
  c.set_value(0, make_floats(type, c.value(0)->shape, *values));
}

void attributes_elu(const Node& n, IrAttributes& a) { a.add("alpha", n.get_float("alpha")); }
void attributes_clamp(const Node& n, IrAttributes& a) {
  a.add("min", n.get_float("min"));
  a.add("max", n.get_float("max"));
}
void attributes_gelu(const Node& n, IrAttributes& a) {
  a.add("approximation_mode", n.get_string("approximation_mode", "ERF"));
}

constexpr OpDef activation(std::string_view name, std::string_view version, void (*fold)(InferContext&) = nullptr) {
  return {.op = name, .type = name, .version = version, .infer = infer_same_as_input, .fold = fold};
}

constexpr OpDef kActivationDefs[] = {
    {.op = "ReLU", .type = "ReLU", .version = "opset1", .infer = infer_relu, .fold = fold_relu},
    activation("Sigmoid", "opset1", fold_activation<sigmoid_f32, sigmoid_f64>),
    activation("Tanh", "opset1", fold_activation<libm::tanhf, libm::tanh>),
    {.op = "Elu", .type = "Elu", .version = "opset1", .infer = infer_same_as_input, .ir_attributes = attributes_elu},
    {.op = "AttributedClamp",
     .type = "Clamp",
     .version = "opset1",
     .infer = infer_clamp,
     .ir_attributes = attributes_clamp,
     .fold = fold_clamp},
    {.op = "PReLU", .type = "PReLU", .version = "opset1", .infer = infer_same_as_input, .layout = kBroadcasting},
    activation("Selu", "opset1"),
    activation("HardSigmoid", "opset1"),
    activation("HSwish", "opset4"),
    activation("Mish", "opset4"),
    activation("SoftPlus", "opset4"),
    activation("Swish", "opset4"),
    activation("HSigmoid", "opset5"),
    activation("SoftSign", "opset9"),
    {.op = "Gelu", .type = "Gelu", .version = "opset7", .infer = infer_same_as_input, .ir_attributes = attributes_gelu},
};

}  // namespace

OpFamily ops_Activations() { return kActivationDefs; }

}  // namespace mo

// Operators on quantised tensors: the usual ones on the numbers that the integers stand for.

#include <algorithm>

#include "core/front/mxnet/extract/quantised.h"

namespace mo::mxnet {
void extract_convolution(Node&);
void extract_fully_connected(Node&);
void extract_pooling(Node&);
void extract_batch_norm(Node&);
void extract_batch_norm_with_relu(Node&);
void extract_embedding(Node&);
void extract_flatten(Node&);
void extract_reshape(Node&);
void extract_npx_reshape(Node&);
void extract_transpose(Node&);
void extract_activation(Node&);

namespace {

OutPort limit_of(Builder& b, double value) { return b.constant(make_f32(Shape{1}, {static_cast<float>(value)})); }

/// on_steps() or on_whole_steps().
using Rounding = OutPort (*)(Builder&, OutPort x, OutPort full, ElementType type);

/// x rounded to the steps of these limits.
Quantised rounded(Builder& b, OutPort x, const std::pair<double, double>& limits, ElementType type,
                  Rounding round = on_steps) {
  const OutPort least = limit_of(b, limits.first), most = limit_of(b, limits.second);
  return {round(b, x, magnitude(b, least, most), type), least, most, type};
}

/// In calibrated limits, or those of the elements themselves.
Quantised in_limits_of(const Node& node, Builder& b, OutPort x, ElementType type, Rounding round) {
  const auto range = calibrated(node);
  if (!range) {
    const OutPort full = b.op("LargestMagnitude", {x});
    const OutPort least = type == ElementType::U8 ? limit_of(b, 0) : b.op("Negative", {full});
    return {round(b, x, full, type), least, full, type};
  }
  const double full = std::max(std::abs(range->first), std::abs(range->second));
  return rounded(b, x, type == ElementType::U8 ? *range : std::pair{-full, full}, type, round);
}

/// What an integer's unit stands for.
OutPort step_of(Builder& b, const Quantised& x) {
  return b.op("Mul", {magnitude(b, x.least, x.most), b.f32_scalar(static_cast<float>(1 / steps_of(x.type)))});
}

constexpr double kMost = 127;

/// A result of 32 bits. MXNet takes the limits of both factors for those of 127, whatever the integers, so it stands
/// for larger numbers than the product of both.
double larger_than_product(const Quantised& x, const Quantised& y) {
  return steps_of(x.type) / kMost * (steps_of(y.type) / kMost);
}
Quantised of_product(Builder& b, OutPort real, const Quantised& x, const Quantised& y) {
  const double larger = larger_than_product(x, y);
  const OutPort limits = b.op("Mul", {magnitude(b, x.least, x.most), magnitude(b, y.least, y.most)});
  const OutPort full = b.op("Mul", {limits, b.f32_scalar(static_cast<float>(2147483647.0 / (kMost * kMost)))});
  real = b.op("Mul", {real, b.f32_scalar(static_cast<float>(larger))});
  return {real, b.op("Negative", {full}), full, ElementType::I32};
}

/// Data, weights and perhaps a bias, each with its limits behind them. `own_steps`: without calibration MXNet takes the
/// limits of the bias, too, for those of 127.
void product(Node& node, void (*extract)(Node&), bool own_steps) {
  const bool bias = !bool_of(node, "no_bias");
  const int limits = bias ? 3 : 2;
  const Quantised x = quantised_input(node, 0, limits), weights = quantised_input(node, 1, limits + 2);
  std::vector<OutPort> sources{x.real, weights.real};
  const auto range = calibrated(node);
  Builder b(node);
  if (bias) {
    const Quantised added = quantised_input(node, 2, limits + 4);
    const double scale = steps_of(added.type) / kMost / larger_than_product(x, weights);
    const bool as_it_is = range || !own_steps;
    sources.push_back(as_it_is ? added.real : b.op("Mul", {added.real, b.f32_scalar(static_cast<float>(scale))}));
  }
  const OutPort real = of_reals(node, extract, sources);
  give_quantised(node, range ? rounded(b, real, *range, ElementType::I8) : of_product(b, real, x, weights));
}

void normalise(Node& node, void (*extract)(Node&)) {
  std::vector<OutPort> sources{quantised_input(node, 0, 5).real};
  for (int i = 1; i < 5; ++i) sources.push_back(required(node, i));
  const auto range = calibrated(node);
  if (!range) throw Error(Code::UnsupportedForm, "quantised without calibration");
  const OutPort real = of_reals(node, extract, sources);
  Builder b(node);
  give_quantised(node, rounded(b, real, *range, ElementType::I8));
}

}  // namespace

void extract_quantize(Node& node) {
  const OutPort x = required(node, 0), least = required(node, 1), most = required(node, 2);
  const ElementType type = wanted_type(node, "uint8");
  Builder b(node);
  const OutPort full = magnitude(b, least, most), real = on_whole_steps(b, x, full, type);
  if (type == ElementType::U8) return give_quantised(node, {real, least, most, type});
  give_quantised(node, {real, b.op("Negative", {full}), full, type});
}

void extract_quantize_v2(Node& node) {
  const OutPort x = required(node, 0);
  const ElementType type = wanted_type(node, "int8");
  Builder b(node);
  give_quantised(node, in_limits_of(node, b, x, type, on_steps));
}

void extract_requantize(Node& node) {
  const Quantised x = quantised_input(node, 0, 1);
  const ElementType type = wanted_type(node, "int8");
  Builder b(node);
  give_quantised(node, in_limits_of(node, b, x.real, type, on_whole_steps));
}

void extract_dequantize(Node& node) {
  const OutPort real = quantised_input(node, 0, 1).real;
  give(node, {real});
}

void extract_quantized_conv(Node& node) { product(node, extract_convolution, true); }
void extract_quantized_fully_connected(Node& node) { product(node, extract_fully_connected, false); }

void extract_quantized_pooling(Node& node) {
  give_in_same_limits(node, extract_pooling, choice_of(node, "pool_type", "max", {"max", "avg", "sum", "lp"}) != "max");
}

void extract_quantized_act(Node& node) {
  choice_of(node, "act_type", "", {"relu"});
  give_in_same_limits(node, extract_activation);
}

void extract_quantized_reshape(Node& node) { give_in_same_limits(node, extract_reshape); }
void extract_quantized_npx_reshape(Node& node) { give_in_same_limits(node, extract_npx_reshape); }
void extract_quantized_transpose(Node& node) { give_in_same_limits(node, extract_transpose); }
void extract_quantized_flatten(Node& node) { give_in_same_limits(node, extract_flatten); }

void extract_quantized_batch_norm(Node& node) { normalise(node, extract_batch_norm); }
void extract_quantized_batch_norm_relu(Node& node) { normalise(node, extract_batch_norm_with_relu); }

void extract_quantized_embedding(Node& node) {
  const Quantised weights = quantised_input(node, 1, 2);
  const OutPort real = of_reals(node, extract_embedding, {required(node, 0), weights.real});
  give_quantised(node, {real, weights.least, weights.most, weights.type});
}

/// In the widest limits of all parts.
void extract_quantized_concat(Node& node) {
  const auto count = static_cast<int>(limited_int(node, "num_args", 1, 1, 1 << 12));
  std::vector<Quantised> tensors;
  for (int i = 0; i < count; ++i) tensors.push_back(quantised_input(node, i, count + 2 * i));
  Builder b(node);
  std::vector<OutPort> widths, parts;
  for (const Quantised& part : tensors) widths.push_back(magnitude(b, part.least, part.most));
  OutPort full = widths[0];
  for (size_t i = 1; i < widths.size(); ++i) full = b.op("Maximum", {full, widths[i]});
  const bool unsigned_ones =
      std::all_of(tensors.begin(), tensors.end(), [](const Quantised& part) { return part.type == ElementType::U8; });
  const ElementType type = unsigned_ones ? ElementType::U8 : ElementType::I8;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const auto steps = static_cast<float>(steps_of(type) / steps_of(tensors[i].type));
    const OutPort factor = b.op("Mul", {b.op("Div", {widths[i], full}), b.f32_scalar(steps)});
    parts.push_back(b.op("Mul", {integers_of(b, tensors[i]), factor}));
  }
  const OutPort integers = parts.size() == 1 ? parts[0] : b.concat(parts, int_of(node, "dim", 1));
  const OutPort least = unsigned_ones ? limit_of(b, 0) : b.op("Negative", {full});
  give_quantised(node, {reals_of(b, integers, full, type), least, full, type});
}

void extract_quantized_elemwise_add(Node& node) {
  const Quantised x = quantised_input(node, 0, 2), y = quantised_input(node, 1, 4);
  const auto range = calibrated(node);
  Builder b(node);
  const OutPort sum = b.op("Add", {x.real, y.real});
  if (range) return give_quantised(node, rounded(b, sum, *range, ElementType::I8));
  const OutPort full = b.op("Add", {magnitude(b, x.least, x.most), magnitude(b, y.least, y.most)});
  give_quantised(node, {sum, b.op("Negative", {full}), full, ElementType::I32});
}

/// In calibrated limits MXNet cuts off what is behind the point.
void extract_quantized_elemwise_mul(Node& node) {
  const Quantised x = quantised_input(node, 0, 2), y = quantised_input(node, 1, 4);
  const auto range = calibrated(node);
  Builder b(node);
  const OutPort real = b.op("Mul", {x.real, y.real});
  if (bool_of(node, "enable_float_output")) return give(node, {real});
  if (!range) return give_quantised(node, of_product(b, real, x, y));
  const OutPort least = limit_of(b, range->first), most = limit_of(b, range->second);
  const OutPort step =
      b.op("Mul", {magnitude(b, least, most), b.f32_scalar(static_cast<float>(1 / steps_of(ElementType::I8)))});
  const OutPort integers = b.op("Mul", {integers_of(b, x), integers_of(b, y)});
  const OutPort scale = b.op("Div", {b.op("Mul", {step_of(b, x), step_of(b, y)}), step});
  const OutPort cut = b.op("Truncate", {b.op("Mul", {integers, scale})});
  const OutPort inside = b.op("AttributedClamp", {cut}, {{"min", -128.0}, {"max", 127.0}});
  give_quantised(node, {b.op("Mul", {inside, step}), least, most, ElementType::I8});
}

}  // namespace mo::mxnet

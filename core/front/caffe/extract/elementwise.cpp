// Functions of elements: activations, Power, Exp, Log, Threshold, Eltwise.

#include <cmath>

#include "core/base/text.h"
#include "core/front/caffe/extract/extractor.h"

namespace mo::caffe {
namespace {

/// x * scale + shift; what changes nothing is left out.
OutPort scaled(Builder& b, OutPort x, double scale, double shift) {
  if (scale != 1) x = b.op("Mul", {x, b.f32_scalar(static_cast<float>(scale))});
  if (shift != 0) x = b.op("Add", {x, b.f32_scalar(static_cast<float>(shift))});
  return x;
}

/// ln of the base; -1 stands for e.
double logarithm_of_base(const Node& node) {
  const double base = node.get_float("base", -1);
  if (base == -1) return 1;
  if (!(base > 0)) throw Error(Code::BadAttribute, msg("base is ", base));
  return std::log(base);
}

}  // namespace

void extract_relu(Node& node) {
  require_input(node, 0);
  const double slope = node.get_float("negative_slope");
  become(node, slope == 0 ? "ReLU" : "LeakyReLU", {node.source(0)});
  if (slope != 0) node.set("alpha", slope);
}

void extract_prelu(Node& node) {
  require_input(node, 0);
  const bool shared = node.get_bool("channel_shared");
  const OutPort slope = shaped_blob(node, 0, {shared ? 1 : -1});
  become(node, "PReLU", {node.source(0), slope});
}

/// base ^ (shift + scale * x)
void extract_exp(Node& node) {
  require_input(node, 0);
  const double ln = logarithm_of_base(node);
  Builder b(node);
  const OutPort exponent = scaled(b, node.source(0), node.get_float("scale", 1) * ln, node.get_float("shift") * ln);
  become(node, "Exp", {exponent});
}

/// log(shift + scale * x) to the base
void extract_log(Node& node) {
  require_input(node, 0);
  const double ln = logarithm_of_base(node);
  Builder b(node);
  const OutPort x = scaled(b, node.source(0), node.get_float("scale", 1), node.get_float("shift"));
  if (ln == 1) return become(node, "Log", {x});
  const OutPort natural = b.op("Log", {x}), factor = b.f32_scalar(static_cast<float>(1 / ln));
  become(node, "Mul", {natural, factor});
}

/// (shift + scale * x) ^ power
void extract_power(Node& node) {
  require_input(node, 0);
  const double power = node.get_float("power", 1), scale = node.get_float("scale", 1), shift = node.get_float("shift");
  Builder b(node);
  if (power != 1) {
    const OutPort x = scaled(b, node.source(0), scale, shift), exponent = b.f32_scalar(static_cast<float>(power));
    return become(node, "Pow", {x, exponent});
  }
  if (scale == 1 && shift == 0) return become(node, "Identity", {node.source(0)});
  const OutPort x = shift == 0 ? node.source(0) : scaled(b, node.source(0), scale, 0);
  const OutPort last = b.f32_scalar(static_cast<float>(shift == 0 ? scale : shift));
  become(node, shift == 0 ? "Mul" : "Add", {x, last});
}

void extract_clip(Node& node) {
  require_input(node, 0);
  for (const char* name : {"min", "max"})
    if (!node.has(name)) throw Error(Code::MissingAttribute, msg(name));
  const double least = node.get_float("min"), most = node.get_float("max");
  become(node, "AttributedClamp", {node.source(0)});
  node.set("min", least);
  node.set("max", most);
}

/// (factors by channel, x, y): factors * x + y
void extract_axpy(Node& node) {
  for (const int i : {0, 1, 2}) require_input(node, i);
  const OutPort product =
      Builder(node).op("AxisBroadcast", {node.source(1), node.source(0)}, {{"operation", "Mul"}, {"axis", 0}});
  become(node, "Add", {product, node.source(2)});
}

void extract_threshold(Node& node) {
  require_input(node, 0);
  Builder b(node);
  const OutPort limit = b.f32_scalar(static_cast<float>(node.get_float("threshold")));
  const OutPort above = b.op("Greater", {node.source(0), limit});
  become(node, "Cast", {above});
  node.set("dst_type", ElementType::F32);
}

/// 1 for numbers above 0, -1 for others.
void extract_binarization(Node& node) {
  require_input(node, 0);
  Builder b(node);
  const OutPort above = b.op("Greater", {node.source(0), b.f32_scalar(0)}), one = b.f32_scalar(1);
  become(node, "Select", {above, one, b.f32_scalar(-1)});
}

/// Sums may have a factor for each bottom.
void extract_eltwise(Node& node) {
  require_input(node, 0);
  const std::string operation = node.get_string("operation", "SUM");
  const Doubles factors = node.get_floats("coeff");
  const int count = bottoms_of(node);
  if (!factors.empty() && (operation != "SUM" || factors.size() != static_cast<size_t>(count)))
    throw Error(Code::BadAttribute, msg(factors.size(), " of coeff for ", operation, " of ", count, " bottoms"));
  std::vector<OutPort> inputs;
  for (int i = 0; i < count; ++i) {
    require_input(node, i);
    inputs.push_back(node.source(i));
  }
  if (factors == Doubles{1, -1}) return become(node, "Sub", inputs);
  Builder b(node);
  for (size_t i = 0; i < factors.size(); ++i) inputs[i] = scaled(b, inputs[i], factors[i], 0);
  become(node, "EltwiseN", inputs);
  node.set("operation", std::string(operation == "SUM" ? "sum" : operation == "PROD" ? "mul" : "max"));
}

}  // namespace mo::caffe

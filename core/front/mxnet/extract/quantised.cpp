#include "core/front/mxnet/extract/quantised.h"

#include "core/base/text.h"
#include "core/graph/framework_node.h"

namespace mo::mxnet {
namespace {

/// What a quantised operator becomes: real numbers, the limits of their integers, and what these are.
constexpr const char* kOperation = "IntegersAsReals";

bool is_of_integers(const Node& node) {
  if (!node.pb || node.pb->op.empty()) return false;
  const std::string& op = node.pb->op;
  return op.starts_with("_contrib_quantize") || op.starts_with("_contrib_requantize") ||
         op.starts_with("_contrib_dequantize") || op.starts_with("_npx_quantize") || op.starts_with("_sg_");
}

/// The type of integers that no quantised operator has made.
ElementType known_type(OutPort x) {
  const Node& from = x.node();
  const ElementType type = from.op() == "Const"       ? from.get_constant("value")->type
                           : from.op() == "Parameter" ? from.get_type("data_type")
                                                      : ElementType::Unknown;
  if (type != ElementType::I8 && type != ElementType::U8 && type != ElementType::I32)
    throw Error(Code::UnsupportedForm, "integers of unknown type");
  return type;
}

}  // namespace

double steps_of(ElementType type) {
  return type == ElementType::I32 ? 2147483647.0 : type == ElementType::U8 ? 255.5 : 127.5;
}

OutPort magnitude(Builder& b, OutPort least, OutPort most) {
  const OutPort low = b.op("Abs", {b.reshape(least, {1}, false)}), high = b.op("Abs", {b.reshape(most, {1}, false)});
  return b.op("Maximum", {low, high});
}

Quantised quantised_input(Node& node, int data, int limits) {
  const OutPort x = required(node, data), least = required(node, limits), most = required(node, limits + 1);
  if (x.node().op() == kOperation) return {x, least, most, x.node().get_type("integers")};
  const ElementType type = known_type(x);
  Builder b(node);
  const OutPort real =
      b.op("DequantizedByScale", {x, magnitude(b, least, most)}, Attributes{{"steps", steps_of(type)}, {"axis", -1}});
  return {real, least, most, type};
}

int64_t largest_of(ElementType type) { return type == ElementType::U8 ? 255 : 127; }

OutPort on_steps(Builder& b, OutPort x, OutPort full, ElementType type) {
  const int64_t most = largest_of(type);
  const auto part = static_cast<float>(static_cast<double>(most) / steps_of(type));
  return b.op("QuantizedByScale", {x, b.op("Mul", {full, b.f32_scalar(part)})},
              Attributes{{"most", most},
                         {"least", type == ElementType::U8 ? 0 : -most - 1},
                         {"even", true},
                         {"axis", -1},
                         {"real", true}});
}

OutPort on_whole_steps(Builder& b, OutPort x, OutPort full, ElementType type) {
  const auto part = static_cast<float>(static_cast<double>(largest_of(type)) / steps_of(type));
  return on_steps(b, b.op("Mul", {x, b.f32_scalar(part)}), full, type);
}

OutPort integers_of(Builder& b, const Quantised& x) {
  const OutPort steps = b.f32_scalar(static_cast<float>(steps_of(x.type)));
  const OutPort factor = b.op("Div", {steps, magnitude(b, x.least, x.most)});
  return b.op("Round", {b.op("Mul", {x.real, factor})}, {{"mode", "half_away_from_zero"}});
}

OutPort reals_of(Builder& b, OutPort integers, OutPort full, ElementType type) {
  const OutPort rounded = b.op("Round", {integers}, {{"mode", "half_to_even"}});
  return b.op("Mul", {rounded, b.op("Div", {full, b.f32_scalar(static_cast<float>(steps_of(type)))})});
}

void give_quantised(Node& node, const Quantised& tensor) {
  Builder b(node);
  std::vector<InPort> others;  // readers of the integers
  for (const InPort& reader : node.out(0).destinations())
    if (!is_of_integers(reader.node())) others.push_back(reader);
  if (!others.empty()) {
    const OutPort integers = b.op("Cast", {integers_of(b, tensor)}, {{"dst_type", tensor.type}});
    for (InPort& reader : others) reader.connect(integers);
    integers.tensor().names = std::move(node.out(0).tensor().names);
    node.out(0).tensor().names = {};
  }
  const int count = node.is_read(2) ? 3 : node.is_read(1) ? 2 : 1;
  std::vector<OutPort> results{tensor.real, tensor.least, tensor.most};
  results.resize(static_cast<size_t>(count));
  become(node, kOperation, results, {{"integers", tensor.type}}, count);
}

ElementType wanted_type(const Node& node, std::string_view otherwise) {
  const std::string type = choice_of(node, "out_type", otherwise, {"int8", "uint8", "auto"});
  if (type == "uint8") return ElementType::U8;
  if (type == "int8") return ElementType::I8;
  const auto limits = calibrated(node);
  if (!limits) throw Error(Code::UnsupportedForm, "out_type auto without calibration");
  return limits->first >= 0 ? ElementType::U8 : ElementType::I8;
}

std::optional<std::pair<double, double>> calibrated(const Node& node) {
  if (!is_given(node, "min_calib_range") || !is_given(node, "max_calib_range")) return {};
  return std::pair{float_of(node, "min_calib_range"), float_of(node, "max_calib_range")};
}

void give_calibrated(Node& node, OutPort y, ElementType type) {
  // The first name is that of MXNet 1, where it is a truth, the other one that of MXNet 2, where it is a type.
  if (bool_of(node, "enable_float_output") || is_given(node, "enabled_float_output")) return give(node, {y});
  const auto limits = calibrated(node);
  if (!limits) throw Error(Code::UnsupportedForm, "quantised without calibration");
  Builder b(node);
  const auto limit = [&](double value) { return b.constant(make_f32(Shape{1}, {static_cast<float>(value)})); };
  const OutPort least = limit(limits->first), most = limit(limits->second);
  give_quantised(node, {on_steps(b, y, magnitude(b, least, most), type), least, most, type});
}

void give_in_same_limits(Node& node, void (*extract)(Node&), bool again) {
  const Quantised x = quantised_input(node, 0, 1);
  Builder b(node);
  const OutPort y = of_reals(node, extract, {again ? integers_of(b, x) : x.real});
  const OutPort real = again ? reals_of(b, y, magnitude(b, x.least, x.most), x.type) : y;
  give_quantised(node, {real, x.least, x.most, x.type});
}

OutPort of_reals(Node& node, void (*extract)(Node&), const std::vector<OutPort>& sources, std::string_view prefix) {
  Node& made = node.graph().add_node("Identity", cat(node.name(), "/real", prefix));
  for (const auto& [key, value] : node.attributes)
    if (std::string_view(key).starts_with(prefix)) made.attributes.set(std::string(key).substr(prefix.size()), value);
  made.add_in_ports(static_cast<int>(sources.size()));
  for (size_t i = 0; i < sources.size(); ++i) made.in(static_cast<int>(i)).connect(sources[i]);
  made.add_out_ports(1);
  made.pb = node.pb;
  extract(made);
  made.pb = nullptr;
  return made.out(0);
}

}  // namespace mo::mxnet

// Activations whose kind is an attribute, and softmax in all its forms.

#include "core/base/text.h"
#include "core/front/mxnet/extract/extractor.h"

namespace mo::mxnet {

void extract_activation(Node& node) {
  constexpr std::pair<std::string_view, const char*> kKinds[] = {
      {"relu", "ReLU"},         {"sigmoid", "Sigmoid"},        {"tanh", "Tanh"}, {"softrelu", "SoftPlus"},
      {"softsign", "SoftSign"}, {"log_sigmoid", "LogSigmoid"}, {"mish", "Mish"}};
  const OutPort x = required(node, 0);
  const std::string given = text_of(node, "act_type");
  if (given.empty()) throw Error(Code::MissingAttribute, "act_type");
  for (const auto& [name, op] : kKinds)
    if (name == given) return become(node, op, {x});
  throw Error(Code::UnsupportedForm, msg("the activation ", printable(given)));
}

/// In inference, the slope of rrelu is the middle of its range.
void extract_leaky_relu(Node& node) {
  const OutPort x = required(node, 0);
  const std::string kind =
      choice_of(node, "act_type", "leaky", {"leaky", "elu", "selu", "gelu", "gelu_erf", "gelu_tanh", "prelu", "rrelu"});
  const double slope = float_of(node, "slope", 0.25);
  if (kind == "prelu") return become(node, "PRelu", {x, required(node, 1)});
  if (kind == "elu") return become(node, "Elu", {x}, {{"alpha", slope}});
  if (kind == "selu")
    return become(node, "AttributedSelu", {x}, {{"alpha", 1.6732632423543772}, {"gamma", 1.0507009873554805}});
  if (kind.starts_with("gelu"))
    return become(node, "Gelu", {x}, {{"approximation_mode", kind == "gelu_tanh" ? "TANH" : "ERF"}});
  const double middle = (float_of(node, "lower_bound", 0.125) + float_of(node, "upper_bound", 0.334)) / 2;
  become(node, "LeakyReLU", {x}, {{"alpha", kind == "rrelu" ? middle : slope}});
}

namespace {

/// softmax(x / temperature), of the first elements along the axis if there are lengths; as another type.
void soften(Node& node, const char* op, bool negative) {
  OutPort x = required(node, 0);
  const int64_t axis = int_of(node, "axis", -1);
  const double temperature = (negative ? -1 : 1) * float_of(node, "temperature", 1);
  const bool has_lengths = bool_of(node, "use_length");
  const ElementType type = type_of(node, "dtype");
  if (temperature == 0) throw Error(Code::BadAttribute, msg(std::string("temperature"), " is ", temperature));
  if (has_lengths && op != std::string_view("SoftMax"))
    throw Error(Code::UnsupportedForm, "lengths of a logarithm of softmax");
  Builder b(node);
  if (temperature != 1) x = b.op("Mul", {x, b.scalar_like(x, 1 / temperature)});
  const char* const own = has_lengths ? "SoftMaxOfLengths" : op;
  std::vector<OutPort> sources{x};
  if (has_lengths) sources.push_back(required(node, 1));
  if (type == ElementType::Unknown) return become(node, own, sources, {{"axis", axis}});
  const OutPort y = b.op(own, sources, {{"axis", axis}});
  become(node, "Cast", {y}, {{"dst_type", type}});
}

void masked(Node& node, const char* op) {
  OutPort x = required(node, 0);
  const OutPort mask = required(node, 1);
  const double temperature = float_of(node, "temperature", 1);
  if (temperature == 0) throw Error(Code::BadAttribute, msg(std::string("temperature"), " is ", temperature));
  Builder b(node);
  if (temperature != 1) x = b.op("Mul", {x, b.scalar_like(x, 1 / temperature)});
  become(node, op, {x, mask}, {{"axis", int_of(node, "axis", -1)}});
}

}  // namespace

void extract_softmax(Node& node) { soften(node, "SoftMax", false); }
void extract_softmin(Node& node) { soften(node, "SoftMax", true); }
void extract_log_softmax(Node& node) { soften(node, "LogSoftmax", false); }

/// Of the elements where the mask is not 0; the others are 0, and as logarithms infinite.
void extract_masked_softmax(Node& node) { masked(node, "MaskedSoftMax"); }
void extract_masked_log_softmax(Node& node) { masked(node, "MaskedLogSoftMax"); }

/// Over channels, or over the last axis.
void extract_softmax_activation(Node& node) {
  const OutPort x = required(node, 0);
  const bool channels = choice_of(node, "mode", "instance", {"instance", "channel"}) == "channel";
  become(node, "SoftMax", {x}, {{"axis", channels ? 1 : -1}});
}

/// The head of a classifier; its labels are for training. By default softmax is over all that a sample has.
void extract_softmax_output(Node& node) {
  const OutPort x = required(node, 0);
  const bool by_channel = bool_of(node, "multi_output"), shape_stays = bool_of(node, "preserve_shape");
  if (by_channel) return become(node, "SoftMax", {x}, {{"axis", 1}});
  if (shape_stays) return become(node, "SoftMax", {x}, {{"axis", -1}});
  become(node, "SoftMaxONNX", {x}, {{"axis", 1}});
}

void extract_logistic_output(Node& node) { become(node, "Sigmoid", {required(node, 0)}); }

/// In inference all elements are kept. With mode `always` they are dropped in inference, too.
void extract_dropout(Node& node) {
  const OutPort x = required(node, 0);
  const bool always = choice_of(node, "mode", "training", {"training", "always"}) == "always";
  if (always && float_of(node, "p", 0.5) > 0)
    throw Error(Code::UnsupportedForm, "dropout in inference: mode is always");
  become(node, "Identity", {x});
}

}  // namespace mo::mxnet

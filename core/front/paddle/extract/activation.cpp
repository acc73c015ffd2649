#include "core/front/paddle/extract/activation.h"

#include "core/base/text.h"

namespace mo::paddle {

OutPort activated(Builder& b, OutPort x, const std::string& name, double alpha, double beta) {
  if (is_one_of(name, {"", "identity", "none", "linear"})) return x;
  if (is_one_of(name, {"gelu", "gelu_erf"})) return b.op("Gelu", {x}, {{"approximation_mode", "ERF"}});
  if (name == "gelu_tanh") return b.op("Gelu", {x}, {{"approximation_mode", "TANH"}});
  if (name == "leaky_relu") return b.op("LeakyReLU", {x}, {{"alpha", alpha}});
  if (name == "relu6") return b.op("AttributedClamp", {x}, {{"min", 0.0}, {"max", 6.0}});
  if (name == "clip") return b.op("AttributedClamp", {x}, {{"min", alpha}, {"max", beta}});
  if (name == "hard_sigmoid") return b.op("AttributedHardSigmoid", {x}, {{"alpha", alpha}, {"beta", beta}});
  constexpr std::pair<std::string_view, const char*> kSame[] = {
      {"relu", "ReLU"},  {"sigmoid", "Sigmoid"}, {"tanh", "Tanh"},         {"swish", "Swish"},
      {"silu", "Swish"}, {"mish", "Mish"},       {"hard_swish", "HSwish"}, {"sqrt", "Sqrt"},
      {"abs", "Abs"},    {"exp", "Exp"},         {"softplus", "SoftPlus"}};
  for (const auto& [given, op] : kSame)
    if (given == name) return b.op(op, {x});
  throw Error(Code::UnsupportedForm, msg("the activation ", printable(name)));
}

OutPort scaled(Builder& b, OutPort x, double factor) {
  return factor == 1 ? x : b.op("Mul", {x, b.scalar_like(x, factor)});
}

OutPort plus(Builder& b, OutPort x, OutPort added) { return added ? b.op("Add", {x, added}) : x; }

OutPort dropped(Builder& b, OutPort x, double rate, const std::string& implementation) {
  if (implementation == "upscale_in_train") return x;
  if (implementation == "downgrade_in_infer") return scaled(b, x, 1 - rate);
  throw Error(Code::BadAttribute, msg("the implementation of dropout is ", printable(implementation)));
}

OutPort layer_normalized(Builder& b, OutPort x, OutPort scale, OutPort bias, int64_t axis, double epsilon) {
  if (!scale) scale = b.scalar_like(x, 1);
  return b.op("LayerNormalization", {x, scale, bias}, {{"axis", axis}, {"epsilon", epsilon}});
}

}  // namespace mo::paddle

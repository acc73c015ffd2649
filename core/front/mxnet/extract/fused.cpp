// What oneDNN's parts of MXNet have fused: a convolution or a product, and the operators behind it. The loader gives
// these as the attribute `parts`, with the attributes of part i under "i.".

#include "core/base/text.h"
#include "core/front/mxnet/extract/quantised.h"

namespace mo::mxnet {
void extract_convolution(Node&);
void extract_fully_connected(Node&);
void extract_batch_norm(Node&);
void extract_activation(Node&);
void extract_leaky_relu(Node&);
void extract_clip(Node&);

namespace {

/// The inputs one after the other; those that are integers have their limits behind all others.
class FusedInputs {
 public:
  FusedInputs(Node& node, bool quantised, int of_integers)
      : node_(node), quantised_(quantised), limits_(node.in_count() - (quantised ? 2 * of_integers : 0)) {}

  OutPort next() {
    if (next_ >= limits_) throw Error(Code::MissingInput, msg(next_));
    return required(node_, next_++);
  }
  OutPort next_of_integers() {
    if (!quantised_) return next();
    const int at = next_++, limits = limits_ + 2 * read_++;
    return quantised_input(node_, at, limits).real;
  }

 private:
  Node& node_;
  bool quantised_;
  int limits_, next_ = 0, read_ = 0;
};

void (*activation_of(const std::string& op))(Node&) {
  if (op == "Activation") return extract_activation;
  if (op == "LeakyReLU") return extract_leaky_relu;
  return op == "clip" ? extract_clip : nullptr;
}

bool are_integers(const Node& node) {
  const Node& weights = required(node, 1).node();
  return weights.op() == "Const" && weights.get_constant("value")->type == ElementType::I8;
}

/// The weight of largest magnitude is 127.5 steps away from 0. MXNet rounds it to -128 or 127; with steps a little
/// smaller FakeQuantize does so whatever the last bits of its limits are.
constexpr double kNotInTheMiddle = 1 - 1e-6;

/// Weights of a quantised operator are integers, or are rounded: those of each output with steps of their own.
OutPort weights_of(Builder& b, const Node& node, FusedInputs& inputs, bool quantised) {
  if (quantised && are_integers(node)) return inputs.next_of_integers();
  const OutPort weights = inputs.next();
  if (!quantised) return weights;
  Ints others{1};
  for (size_t i = 0; i < ints_of(node, "0.kernel").size(); ++i) others.push_back(static_cast<int64_t>(i) + 2);
  const OutPort full = b.op("ReduceMax", {b.op("Abs", {weights})}, Attributes{{"axes", others}, {"keep_dims", false}});
  const double part = kNotInTheMiddle * 127 / steps_of(ElementType::I8);
  const OutPort scale = b.op("Mul", {full, b.f32_scalar(static_cast<float>(part))});
  return b.op("QuantizedByScale", {weights, scale},
              Attributes{{"most", 127}, {"least", -128}, {"even", false}, {"axis", 0}, {"real", true}});
}

OutPort fused_result(Node& node, const Strings& parts, bool quantised, int of_integers) {
  Builder b(node);
  FusedInputs inputs(node, quantised, of_integers);
  const bool convolution = parts[0] == "Convolution";
  const OutPort data = inputs.next_of_integers(), weights = weights_of(b, node, inputs, quantised);
  std::vector<OutPort> sources{data, weights};
  if (!bool_of(node, "0.no_bias"))
    sources.push_back(quantised && are_integers(node) ? inputs.next_of_integers() : inputs.next());
  OutPort y = of_reals(node, convolution ? extract_convolution : extract_fully_connected, sources, "0.");
  for (size_t i = 1; i < parts.size(); ++i) {
    const std::string prefix = cat(i, ".");
    if (parts[i] == "BatchNorm") {
      std::vector<OutPort> all{y};
      for (int k = 0; k < 4; ++k) all.push_back(inputs.next());
      y = of_reals(node, extract_batch_norm, all, prefix);
    } else if (parts[i] == "elemwise_add") {
      y = b.op("Add", {y, inputs.next_of_integers()});
    } else if (const auto extract = activation_of(parts[i])) {
      y = of_reals(node, extract, {y}, prefix);
    } else {
      throw Error(Code::UnsupportedForm, msg("a fused ", parts[i]));
    }
  }
  return y;
}

}  // namespace

void extract_fused_product(Node& node) {
  if (!node.has("parts")) throw Error(Code::MissingAttribute, "subgraphs");
  const Strings parts = node.get_strings("parts");
  if (parts.empty() || (parts[0] != "Convolution" && parts[0] != "FullyConnected"))
    throw Error(Code::UnsupportedForm, "what is fused is no convolution or product");
  const bool quantised = bool_of(node, "quantized");
  int of_integers = 1;
  for (const std::string& part : parts) of_integers += part == "elemwise_add";
  if (quantised && are_integers(node)) of_integers += bool_of(node, "0.no_bias") ? 1 : 2;
  const OutPort y = fused_result(node, parts, quantised, of_integers);
  if (!quantised) return give(node, {y});
  const auto limits = calibrated(node);
  give_calibrated(node, y, limits && limits->first >= 0 ? ElementType::U8 : ElementType::I8);
}

}  // namespace mo::mxnet

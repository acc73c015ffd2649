// Activations and functions of elements whose form depends on attributes or on tensors in place of them.

#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "core/front/paddle/extract/activation.h"
#include "core/front/paddle/extract/extractor.h"

namespace mo::paddle {
namespace {

/// A tensor of one element in place of an attribute; empty if it is absent.
OutPort number_in(Node& node, std::string_view slot, OutPort x) {
  const OutPort port = input(node, slot);
  return port ? Builder(node).op("NumberFor", {port, x}) : OutPort();
}

}  // namespace

void extract_gelu(Node& node) {
  const char* mode = node.get_bool("approximate") ? "TANH" : "ERF";
  become(node, "Gelu", {required(node, "X")}, {{"approximation_mode", mode}});
}

/// Above the threshold, SoftPlus is x; from 20 on these are the same in f32.
void extract_softplus(Node& node) {
  const double beta = node.get_float("beta", 1), threshold = node.get_float("threshold", 20);
  const OutPort x = required(node, "X");
  if (beta == 1 && threshold >= 20) return become(node, "SoftPlus", {x});
  become(node, "SoftPlusBelow", {x}, {{"beta", beta}, {"threshold", threshold}});
}

void extract_mish(Node& node) {
  const double threshold = node.get_float("threshold", 20);
  const OutPort x = required(node, "X");
  if (threshold >= 20) return become(node, "Mish", {x});
  become(node, "MishBelow", {x}, {{"threshold", threshold}});
}

/// log(1 + exp(x)) of x clamped to the threshold on both sides.
void extract_soft_relu(Node& node) {
  const double threshold = node.get_float("threshold", 40);
  const OutPort x = required(node, "X");
  const OutPort clamped = Builder(node).op("AttributedClamp", {x}, {{"min", -threshold}, {"max", threshold}});
  become(node, "SoftPlus", {clamped});
}

void extract_softshrink(Node& node) {
  const double lambda = node.get_float("lambda", 0.5);
  become(node, "Shrink", {required(node, "X")}, {{"lambd", lambda}, {"bias", lambda}});
}

/// The slope between the limits is random in training only.
void extract_rrelu(Node& node) {
  const double alpha = (node.get_float("lower", 0.125) + node.get_float("upper", 1.0 / 3)) / 2;
  become(node, "LeakyReLU", {required(node, "X")}, {{"alpha", alpha}});
}

void extract_prelu(Node& node) {
  const std::string mode = node.get_string("mode", "all");
  const OutPort x = required(node, "X");
  OutPort slope = required(node, "Alpha");
  if (mode != "all" && mode != "channel" && mode != "element")
    throw Error(Code::BadAttribute, msg("mode is ", printable(mode)));
  if (mode != "element") slope = Builder(node).reshape(slope, {mode == "all" ? 1 : -1});
  const bool by_channel = node.get_string("data_format", "NCHW") != "NHWC";
  become(node, "PRelu", {x, slope}, {{"by_channel", by_channel}});
}

/// The factor is a number of the type of x: of integers it is cut.
void extract_pow(Node& node) {
  const OutPort x = required(node, "X");
  OutPort factor = number_in(node, "FactorTensor", x);
  if (!factor) factor = Builder(node).scalar_like(x, node.get_float("factor", 1));
  become(node, "Pow", {x, factor});
}

void extract_square(Node& node) {
  const OutPort x = required(node, "X");
  become(node, "Mul", {x, x});
}

/// To a number of decimals, or of zeros before the point if it is negative.
void extract_round(Node& node) {
  const OutPort x = required(node, "X");
  const Attributes mode{{"mode", "half_away_from_zero"}};
  const int64_t decimals = node.get_int("decimals");
  if (decimals == 0) return become(node, "Round", {x}, mode);
  Builder b(node);
  const OutPort factor = b.scalar_like(x, std::pow(10, static_cast<double>(std::clamp<int64_t>(decimals, -300, 300))));
  const OutPort whole = b.op("Round", {b.op("Mul", {x, factor})}, mode);
  become(node, "Div", {whole, factor});
}

void extract_rsqrt(Node& node) {
  const OutPort x = required(node, "X");
  const OutPort exponent = Builder(node).scalar_like(x, -0.5);
  become(node, "Pow", {x, exponent});
}

/// A limit that no f32 exceeds is none.
void extract_clip(Node& node) {
  constexpr double kMost = 3.4e38;
  const OutPort x = required(node, "X");
  OutPort min = number_in(node, "Min", x), max = number_in(node, "Max", x);
  const double least = node.get_float("min", -kMost), most = node.get_float("max", kMost);
  Builder b(node);
  if (!min && least > -kMost) min = b.scalar_like(x, least);
  if (!max && most < kMost) max = b.scalar_like(x, most);
  if (!min && !max) return become(node, "Identity", {x});
  become(node, "Clamp", {x, min, max});
}

/// log(x / (1 - x)) of x between eps and 1 - eps.
void extract_logit(Node& node) {
  const double eps = node.get_float("eps", 1e-6);
  OutPort x = required(node, "X");
  if (eps > 0) x = Builder(node).op("AttributedClamp", {x}, {{"min", eps}, {"max", 1 - eps}});
  become(node, "Logit", {x});
}

/// In inference nothing is dropped: x, or x times what would be kept in the average of training.
void extract_dropout(Node& node) {
  Builder b(node);
  const std::string how = node.get_string("dropout_implementation", "downgrade_in_infer");
  give(node, {{"Out", dropped(b, required(node, "X"), node.get_float("dropout_prob", 0.5), how)}});
}

/// Its numbers are random in inference, too. With `hard` the largest becomes 1 and the others 0.
void extract_gumbel_softmax(Node& node) {
  const int64_t axis = node.get_int("axis", -1);
  const OutPort soft = Builder(node).op("GumbelSoftmax", {required(node, "X")},
                                        {{"temperature", node.get_float("temperature", 1)}, {"axis", axis}});
  give(node, {{"Out", node.get_bool("hard") ? Builder(node).op("Hardmax", {soft}, {{"axis", axis}}) : soft}});
}

void extract_print(Node& node) { become(node, "Identity", {required(node, "In")}); }

}  // namespace mo::paddle

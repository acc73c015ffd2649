// Activations, and softmax.

#include "core/base/text.h"
#include "core/front/pytorch/extract/extractor.h"

namespace mo::pytorch {
namespace {

void softmax(Node& node, const char* op) {
  Builder b(node);
  const ElementType type = result_type(node);
  const int64_t rank = rank_of(node, "self"), axis = axis_of(node, "dim", rank);
  const OutPort x = operand(node, b, "self", type);
  if (rank == 0) return give(node, {b.squeeze(b.op(op, {b.unsqueeze(x, {0})}, {{"axis", 0}}), {0})});
  become(node, op, {x}, {{"axis", axis}});
}

}  // namespace

void extract_softmax(Node& node) { softmax(node, "SoftMax"); }
void extract_log_softmax(Node& node) { softmax(node, "LogSoftmax"); }

void extract_gelu(Node& node) {
  const std::string mode = node.get_string("approximate", "none");
  if (!is_one_of(mode, {"none", "tanh"}))
    throw Error(Code::BadAttribute, msg("approximate is '", printable(mode), "'"));
  become(node, "Gelu", {required(node, "self")}, {{"approximation_mode", mode == "none" ? "ERF" : "TANH"}});
}

void extract_silu(Node& node) { become(node, "Swish", {required(node, "self")}); }
void extract_relu6(Node& node) {
  become(node, "AttributedClamp", {required(node, "self")}, {{"min", 0.0}, {"max", 6.0}});
}

void extract_hardtanh(Node& node) {
  become(node, "AttributedClamp", {required(node, "self")},
         {{"min", number_of(node, "min_val")}, {"max", number_of(node, "max_val")}});
}

void extract_leaky_relu(Node& node) {
  become(node, "LeakyReLU", {required(node, "self")}, {{"alpha", number_of(node, "negative_slope")}});
}

/// scale * (x, or below 0 alpha * (exp(input_scale * x) - 1)).
void extract_elu(Node& node) {
  const double alpha = number_of(node, "alpha"), scale = number_of(node, "scale"),
               inner = number_of(node, "input_scale");
  const OutPort x = required(node, "self");
  if (inner == 1 && scale == 1) return become(node, "Elu", {x}, {{"alpha", alpha}});
  if (inner == 1) return become(node, "AttributedSelu", {x}, {{"alpha", alpha}, {"gamma", scale}});
  if (!(inner > 0)) throw Error(Code::UnsupportedForm, msg("input_scale is ", inner));
  Builder b(node);
  const ElementType type = result_type(node);
  const OutPort below = b.op("Elu", {b.op("Mul", {x, operand(node, b, "input_scale", type)})}, {{"alpha", alpha}});
  const OutPort above = b.op("Greater", {x, b.constant(make_scalar(type, 0))});
  const OutPort y = b.op("Select", {above, x, below});
  give(node, {scale == 1 ? y : b.op("Mul", {y, operand(node, b, "scale", type)})});
}

void extract_selu(Node& node) {
  become(node, "AttributedSelu", {required(node, "self")},
         {{"alpha", 1.6732632423543772}, {"gamma", 1.0507009873554805}});
}
void extract_celu(Node& node) { become(node, "Celu", {required(node, "self")}, {{"alpha", number_of(node, "alpha")}}); }

/// The slope is random in training only.
void extract_rrelu(Node& node) {
  if (node.has("training") && int_of(node, "training") != 0)
    throw Error(Code::UnsupportedForm, "random slopes of training: call model.eval() before the export");
  const double slope = (number_of(node, "lower") + number_of(node, "upper")) / 2;
  become(node, "LeakyReLU", {required(node, "self")}, {{"alpha", slope}});
}

/// The second output is for training.
void extract_log_sigmoid(Node& node) { become(node, "LogSigmoid", {required(node, "self")}); }

void extract_softplus(Node& node) {
  become(node, "SoftPlusBelow", {required(node, "self")},
         {{"beta", number_of(node, "beta")}, {"threshold", number_of(node, "threshold")}});
}

void extract_softshrink(Node& node) {
  const double lambda = number_of(node, "lambd");
  become(node, "Shrink", {required(node, "self")}, {{"lambd", lambda}, {"bias", lambda}});
}
void extract_hardshrink(Node& node) {
  become(node, "Shrink", {required(node, "self")}, {{"lambd", number_of(node, "lambd")}, {"bias", 0.0}});
}

/// x above the threshold, else the value.
void extract_threshold(Node& node) {
  Builder b(node);
  const ElementType type = result_type(node);
  const OutPort x = required(node, "self"), value = operand(node, b, "value", type);
  const OutPort above = b.op("Greater", {x, operand(node, b, "threshold", type)});
  become(node, "Select", {above, x, value});
}

void extract_prelu(Node& node) {
  const OutPort x = required(node, "self"), weight = required(node, "weight");
  become(node, "PRelu", {x, weight}, {{"by_channel", true}});
}

/// One half times the sigmoid of the other.
void extract_glu(Node& node) {
  Builder b(node);
  const int64_t axis = axis_of(node, "dim", rank_of(node, "self"));
  Node& halves = b.node("Split", {required(node, "self"), b.i64_scalar(axis)}, {{"num_splits", 2}}, 2);
  const OutPort gate = b.op("Sigmoid", {halves.out(1)});
  become(node, "Mul", {halves.out(0), gate});
}

}  // namespace mo::pytorch

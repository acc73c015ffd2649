// Functions of operators.def for ONNX's element-wise operations: Model Optimizer's names and IR's attributes.

#include <map>

#include "core/base/text.h"
#include "core/front/onnx/extract/extractor.h"
#include "core/front/onnx/extract/opset.h"

namespace mo::onnx {
namespace {

std::string binary_name(const std::string& op) {
  static const std::map<std::string, std::string> names = {{"And", "LogicalAnd"},
                                                           {"Or", "LogicalOr"},
                                                           {"Xor", "LogicalXor"},
                                                           {"LessOrEqual", "LessEqual"},
                                                           {"GreaterOrEqual", "GreaterEqual"}};
  const auto found = names.find(op);
  return found == names.end() ? op : found->second;
}

}  // namespace

/// Two inputs. Before operator set 7 the second was broadcast only on request, from `axis` on if that was given.
void extract_binary(Node& node) {
  const std::string op = binary_name(node.pb->op);
  // ONNX's integer division rounds towards 0.
  if (op == "Div") node.set("m_pythondiv", false);
  const bool from_axis = opset(node) < 7 && node.get_bool("broadcast") && node.has("axis");
  if (from_axis) node.set("operation", op);
  node.set_op(from_axis ? "AxisBroadcast" : op);
}

void extract_mod(Node& node) { node.set_op(node.get_bool("fmod") ? "Mod" : "FloorMod"); }

void extract_bit_shift(Node& node) {
  const std::string direction = node.get_string("direction");
  if (direction != "LEFT" && direction != "RIGHT")
    throw Error(Code::BadAttribute, msg("direction is '", direction, "'"));
  node.set_op(direction == "LEFT" ? "BitwiseLeftShift" : "BitwiseRightShift");
}

/// Sum, Mean, Max and Min of any number of inputs.
void extract_eltwise_n(Node& node) {
  node.set("operation", lower(node.pb->op));
  node.set_op("EltwiseN");
}

/// Up to operator set 10 the bounds are attributes; Model Optimizer's Clamp has them as inputs.
void extract_clip(Node& node) {
  if (opset(node) >= 11) return node.set_op("Clamp");
  constexpr double kMost = 3.4028234663852886e38;
  node.set("min", node.get_float("min", -kMost));
  node.set("max", node.get_float("max", kMost));
  node.set_op("AttributedClamp");
}

void extract_gelu(Node& node) {
  const std::string approximation = node.get_string("approximate", "none");
  if (approximation != "none" && approximation != "tanh")
    throw Error(Code::BadAttribute, msg("approximate is '", approximation, "'"));
  node.set("approximation_mode", std::string(approximation == "tanh" ? "TANH" : "ERF"));
  node.set_op("Gelu");
}

/// Softmax, LogSoftmax, Hardmax. Before operator set 13 all dimensions from axis on were treated as one.
void extract_softmax(Node& node) {
  const std::string& op = node.pb->op;
  const bool flattens = opset(node) < 13;
  node.set("axis", node.get_int("axis", flattens ? 1 : -1));
  node.set_op((op == "Softmax" ? "SoftMax" : op) + (flattens ? "ONNX" : ""));
}

/// From operator set 7 on, a 1-D slope is for the last dimension of the data.
void extract_prelu(Node& node) {
  node.set("by_channel", opset(node) < 7);
  node.set_op("PRelu");
}

/// Before operator set 10 the mask had the type of the data.
void extract_dropout(Node& node) {
  node.set("boolean_mask", opset(node) >= 10);
  node.set_op("Dropout");
}

/// Before operator set 4 ONNX Runtime finds no NaN: a NaN among the keys equals nothing.
void extract_label_encoder(Node& node) {
  node.set("finds_nan", opset(node) >= 4);
  node.set_op("LabelEncoder");
}

/// Before operator set 20 the axis is an attribute; from 20 on it is an input, with another default.
void extract_dft(Node& node) {
  node.set("axis", opset(node) < 20 ? node.get_int("axis", 1) : -2);
  node.set_op("DFTONNX");
}

/// Axes are an attribute or input 1. If there are some, the default for missing axes does not matter.
void extract_reduce(Node& node) {
  const OutPort axes = node.source(1);
  const Constant* known = axes ? axes.node().get_constant("value") : nullptr;
  const bool there_are_some = known && known->elements() > 0;
  node.set("keep_dims", node.get_bool("keepdims", true));
  node.set("noop_with_empty_axes", node.get_bool("noop_with_empty_axes") && !there_are_some);
  node.set_op(node.pb->op);
}

}  // namespace mo::onnx

// Functions of two or three tensors, or of a tensor and a number. PyTorch computes in a common type of both.

#include "core/front/pytorch/extract/elementwise.h"

#include "core/base/text.h"
#include "core/front/common/extracted.h"

namespace mo::pytorch {

void compute(Node& node, const char* op, std::string_view a, std::string_view b_name, ElementType type,
             Attributes attributes) {
  Builder b(node);
  const OutPort x = operand(node, b, a, type), y = operand(node, b, b_name, type);
  const bool is_comparison = is_one_of(op, {"Equal", "NotEqual", "Less", "LessEqual", "Greater", "GreaterEqual"});
  const ElementType made = is_comparison ? ElementType::Bool : type;
  if (made == result_type(node)) return become(node, op, {x, y}, std::move(attributes));
  give_typed(node, b, b.op(op, {x, y}, std::move(attributes)), made);
}

namespace {

void compute_common(Node& node, const char* op) {
  compute(node, op, "self", "other", common_type(node, "self", "other"));
}

/// Booleans are compared as numbers.
void compare(Node& node, const char* op) {
  ElementType type = common_type(node, "self", "other");
  if (type == ElementType::Bool && !is_one_of(op, {"Equal", "NotEqual"})) type = ElementType::U8;
  compute(node, op, "self", "other", type);
}

/// self + alpha * other, or with `reversed` other - alpha * self.
void sum(Node& node, const char* op, bool reversed) {
  const ElementType type = common_type(node, "self", "other");
  if (type == ElementType::Bool) return compute(node, "LogicalOr", "self", "other", type);
  Builder b(node);
  OutPort x = operand(node, b, "self", type), y = operand(node, b, "other", type);
  if (reversed) std::swap(x, y);
  if (node.has("alpha") && number_of(node, "alpha") != 1)
    y = b.op("Mul", {y, b.constant(make_scalar(type, number_of(node, "alpha")))});
  if (type == result_type(node)) return become(node, op, {x, y});
  give_typed(node, b, b.op(op, {x, y}), type);
}

void logical(Node& node, const char* op) { compute(node, op, "self", "other", ElementType::Bool); }

/// Integers have no NaN.
void extreme(Node& node, const char* op, const char* of_integers, const char* of_booleans) {
  const ElementType type = common_type(node, "self", "other");
  const char* integral = type == ElementType::Bool ? of_booleans : of_integers;
  compute(node, is_float(type) ? op : integral, "self", "other", type);
}

void bitwise(Node& node, const char* op, const char* of_booleans) {
  const ElementType type = common_type(node, "self", "other");
  compute(node, type == ElementType::Bool ? of_booleans : op, "self", "other", type);
}

/// self + value * (tensor1 op tensor2).
void sum_with(Node& node, const char* op) {
  Builder b(node);
  const ElementType type = result_type(node);
  OutPort y = b.op(op, {operand(node, b, "tensor1", type), operand(node, b, "tensor2", type)});
  if (number_of(node, "value") != 1) y = b.op("Mul", {y, operand(node, b, "value", type)});
  const OutPort x = operand(node, b, "self", type);
  become(node, "Add", {x, y});
}

void divide(Node& node, std::string_view mode) {
  if (mode.empty()) return compute(node, "Div", "self", "other", result_type(node));
  const ElementType type = common_type(node, "self", "other");
  if (mode == "floor") return compute(node, floor_division(type), "self", "other", type);
  if (mode != "trunc") throw Error(Code::BadAttribute, msg("rounding_mode is '", printable(mode), "'"));
  if (!is_float(type)) return compute(node, "Div", "self", "other", type, {{"m_pythondiv", false}});
  Builder b(node);
  give_typed(node, b,
             b.op("Truncate", {b.op("Div", {operand(node, b, "self", type), operand(node, b, "other", type)})}), type);
}

}  // namespace

void extract_add(Node& node) { sum(node, "Add", false); }
void extract_sub(Node& node) { sum(node, "Sub", false); }
void extract_rsub(Node& node) { sum(node, "Sub", true); }
void extract_mul(Node& node) {
  const ElementType type = common_type(node, "self", "other");
  compute(node, type == ElementType::Bool ? "LogicalAnd" : "Mul", "self", "other", type);
}
void extract_div(Node& node) { divide(node, node.get_string("rounding_mode")); }
void extract_floor_divide(Node& node) { divide(node, "floor"); }
void extract_remainder(Node& node) { compute_common(node, "FloorMod"); }
void extract_fmod(Node& node) { compute_common(node, "Mod"); }
void extract_pow(Node& node) { compute(node, "Pow", "self", "exponent", common_type(node, "self", "exponent")); }
void extract_maximum(Node& node) { extreme(node, "Maximum", "Maximum", "LogicalOr"); }
void extract_minimum(Node& node) { extreme(node, "Minimum", "Minimum", "LogicalAnd"); }
void extract_fmax(Node& node) { extreme(node, "FMax", "Maximum", "LogicalOr"); }
void extract_fmin(Node& node) { extreme(node, "FMin", "Minimum", "LogicalAnd"); }
void extract_atan2(Node& node) { compute(node, "Atan2", "self", "other", result_type(node)); }
void extract_eq(Node& node) { compare(node, "Equal"); }
void extract_ne(Node& node) { compare(node, "NotEqual"); }
void extract_lt(Node& node) { compare(node, "Less"); }
void extract_le(Node& node) { compare(node, "LessEqual"); }
void extract_gt(Node& node) { compare(node, "Greater"); }
void extract_ge(Node& node) { compare(node, "GreaterEqual"); }
void extract_logical_and(Node& node) { logical(node, "LogicalAnd"); }
void extract_logical_or(Node& node) { logical(node, "LogicalOr"); }
void extract_logical_xor(Node& node) { logical(node, "LogicalXor"); }
void extract_bitwise_and(Node& node) { bitwise(node, "BitwiseAnd", "LogicalAnd"); }
void extract_bitwise_or(Node& node) { bitwise(node, "BitwiseOr", "LogicalOr"); }
void extract_bitwise_xor(Node& node) { bitwise(node, "BitwiseXor", "LogicalXor"); }
void extract_addcmul(Node& node) { sum_with(node, "Mul"); }
void extract_addcdiv(Node& node) { sum_with(node, "Div"); }

void extract_logical_not(Node& node) {
  Builder b(node);
  const OutPort x = operand(node, b, "self", ElementType::Bool);
  become(node, "LogicalNot", {x});
}
void extract_bitwise_not(Node& node) {
  const bool is_bool = type_of(node, "self") == ElementType::Bool;
  become(node, is_bool ? "LogicalNot" : "BitwiseNot", {required(node, "self")});
}

void extract_where(Node& node) {
  Builder b(node);
  const ElementType type = result_type(node);
  const OutPort condition = operand(node, b, "condition", ElementType::Bool), x = operand(node, b, "self", type),
                y = operand(node, b, "other", type);
  become(node, "Select", {condition, x, y});
}

/// The number where the mask holds.
void extract_masked_fill(Node& node) {
  Builder b(node);
  const ElementType type = result_type(node);
  const OutPort mask = operand(node, b, "mask", ElementType::Bool), value = operand(node, b, "value", type),
                x = operand(node, b, "self", type);
  become(node, "Select", {mask, value, x});
}

/// Bounds may be missing, numbers or tensors.
void extract_clamp(Node& node) {
  Builder b(node);
  const ElementType type = result_type(node);
  OutPort x = operand(node, b, "self", type);
  const bool low = is_given(node, "min"), high = is_given(node, "max");
  if (low && high && is_float(type) && !input(node, "min") && !input(node, "max")) {
    const double least = number_of(node, "min"), most = number_of(node, "max");
    if (least <= most) return become(node, "AttributedClamp", {x}, {{"min", least}, {"max", most}});
  }
  if (low) x = b.op("Maximum", {x, operand(node, b, "min", type)});
  if (high) x = b.op("Minimum", {x, operand(node, b, "max", type)});
  give(node, {x});
}

void extract_lerp(Node& node) {
  Builder b(node);
  const ElementType type = result_type(node);
  const OutPort x = operand(node, b, "self", type), y = operand(node, b, "end", type),
                w = operand(node, b, "weight", type);
  become(node, "Lerp", {x, y, w});
}

}  // namespace mo::pytorch

// Numbers that the graph computes: sizes, and arithmetic of them. They are scalars, integers of i64 and others of f32.
// Comparisons of them choose branches.

#include "core/front/pytorch/extract/extractor.h"

namespace mo::pytorch {
namespace {

/// f32 for a number that is not whole, boolean for a truth, else i64.
ElementType type_of_number(const Node& node, std::string_view argument) {
  if (input(node, argument)) return type_of(node, argument);
  if (node.attributes.get_if<double>(argument)) return ElementType::F32;
  return node.attributes.get_if<bool>(argument) ? ElementType::Bool : ElementType::I64;
}

OutPort number(Node& node, Builder& b, std::string_view argument, ElementType type) {
  if (type == ElementType::I64 && type_of_number(node, argument) == type) return int_scalar(node, b, argument);
  return operand(node, b, argument, type);
}

ElementType common_type_of(const Node& node, std::string_view first, std::string_view second) {
  const ElementType x = type_of_number(node, first), y = type_of_number(node, second);
  if (x == ElementType::F32 || y == ElementType::F32) return ElementType::F32;
  return x == y ? x : ElementType::I64;
}

void compute_number(Node& node, const char* op) {
  Builder b(node);
  const ElementType type = common_type_of(node, "a", "b");
  const OutPort x = number(node, b, "a", type), y = number(node, b, "b", type);
  become(node, op, {x, y});
}

/// Of truths the first operation, of integers the second one.
void compute_bits(Node& node, const char* of_truths, const char* of_integers) {
  Builder b(node);
  const ElementType type = common_type_of(node, "a", "b");
  const OutPort x = number(node, b, "a", type), y = number(node, b, "b", type);
  become(node, type == ElementType::Bool ? of_truths : of_integers, {x, y});
}

void compute_as(Node& node, ElementType type, std::string_view argument) {
  Builder b(node);
  give(node, {number(node, b, argument, type)});
}

}  // namespace

void extract_sym_size(Node& node) {
  const int64_t axis = axis_of(node, "dim", rank_of(node, "self"));
  Builder b(node);
  const OutPort shape = b.shape_of(required(node, "self"));
  give(node, {b.gather(shape, b.i64_scalar(axis), 0)});
}

void extract_sym_numel(Node& node) {
  Builder b(node);
  give(node, {b.reduce("ReduceProd", b.shape_of(required(node, "self")), {0}, false)});
}

/// The only element of a tensor, as a number.
void extract_item(Node& node) {
  Builder b(node);
  const ElementType from = type_of(node, "self");
  const ElementType to = from == ElementType::Bool ? from : is_float(from) ? ElementType::F32 : ElementType::I64;
  give(node, {as_type(b, b.reshape(required(node, "self"), {}, false), from, to)});
}

void extract_sym_add(Node& node) { compute_number(node, "Add"); }
void extract_sym_sub(Node& node) { compute_number(node, "Sub"); }
void extract_sym_mul(Node& node) { compute_number(node, "Mul"); }
void extract_sym_floordiv(Node& node) { compute_number(node, "FloorDivOfIntegers"); }
void extract_sym_mod(Node& node) { compute_number(node, "FloorMod"); }
void extract_sym_max(Node& node) { compute_number(node, "Maximum"); }
void extract_sym_min(Node& node) { compute_number(node, "Minimum"); }
void extract_sym_eq(Node& node) { compute_number(node, "Equal"); }
void extract_sym_ne(Node& node) { compute_number(node, "NotEqual"); }
void extract_sym_lt(Node& node) { compute_number(node, "Less"); }
void extract_sym_le(Node& node) { compute_number(node, "LessEqual"); }
void extract_sym_gt(Node& node) { compute_number(node, "Greater"); }
void extract_sym_ge(Node& node) { compute_number(node, "GreaterEqual"); }
void extract_sym_pow(Node& node) { compute_number(node, "Pow"); }
void extract_sym_neg(Node& node) {
  Builder b(node);
  const OutPort x = number(node, b, "a", type_of_number(node, "a"));
  become(node, "Negative", {x});
}
void extract_sym_pos(Node& node) { compute_as(node, type_of_number(node, "a"), "a"); }
void extract_sym_truediv(Node& node) {
  Builder b(node);
  const OutPort x = number(node, b, "a", ElementType::F32), y = number(node, b, "b", ElementType::F32);
  become(node, "Div", {x, y});
}
void extract_sym_float(Node& node) { compute_as(node, ElementType::F32, "a"); }
/// Without what is behind the point.
void extract_sym_int(Node& node) { compute_as(node, ElementType::I64, is_given(node, "x") ? "x" : "a"); }
void extract_sym_sqrt(Node& node) {
  Builder b(node);
  const OutPort x = number(node, b, "a", ElementType::F32);
  become(node, "Sqrt", {x});
}
void extract_sym_not(Node& node) {
  Builder b(node);
  const OutPort x = number(node, b, "a", ElementType::Bool);
  become(node, "LogicalNot", {x});
}
void extract_sym_and(Node& node) { compute_bits(node, "LogicalAnd", "BitwiseAnd"); }
void extract_sym_or(Node& node) { compute_bits(node, "LogicalOr", "BitwiseOr"); }
void extract_sym_lshift(Node& node) { compute_number(node, "BitwiseLeftShift"); }
void extract_sym_rshift(Node& node) { compute_number(node, "BitwiseRightShift"); }
void extract_sym_ite(Node& node) {
  Builder b(node);
  const ElementType type = common_type_of(node, "t", "f");
  const OutPort condition = number(node, b, "b", ElementType::Bool), yes = number(node, b, "t", type),
                no = number(node, b, "f", type);
  become(node, "Select", {condition, yes, no});
}

}  // namespace mo::pytorch

// Functions of two tensors. The one of fewer dimensions is aligned with the other at `axis`; -1, which is the default,
// aligns the last dimensions.

#include "core/base/text.h"
#include "core/front/paddle/extract/complex.h"
#include "core/front/paddle/extract/extractor.h"

namespace mo::paddle {
namespace {

/// Programs for oneDNN with integers have factors; those of 1 change nothing.
void refuse_factors(const Node& node) {
  for (const char* factor : {"Scale_x", "Scale_y", "Scale_out"})
    if (node.get_float(factor, 1) != 1) throw Error(Code::UnsupportedForm, msg(factor, " is ", node.get_float(factor)));
}

void extract_aligned(Node& node, const char* operation) {
  refuse_factors(node);
  const OutPort x = required(node, "X"), y = required(node, "Y");
  const int64_t axis = node.get_int("axis", -1);
  if (is_complex(node) && is_one_of(operation, {"Mul", "Div"}))
    return become(node, operation == std::string_view("Mul") ? "ComplexProduct" : "ComplexQuotient", {x, y});
  if (axis < -1) throw Error(Code::BadAttribute, msg("axis is ", axis));
  become(node, "Aligned", {x, y}, {{"operation", operation}, {"axis", axis}});
}

}  // namespace

void extract_elementwise_add(Node& node) { extract_aligned(node, "Add"); }
void extract_elementwise_sub(Node& node) { extract_aligned(node, "Sub"); }
void extract_elementwise_mul(Node& node) { extract_aligned(node, "Mul"); }
void extract_elementwise_div(Node& node) { extract_aligned(node, "Div"); }
void extract_elementwise_pow(Node& node) { extract_aligned(node, "Pow"); }
void extract_elementwise_max(Node& node) { extract_aligned(node, "Maximum"); }
void extract_elementwise_min(Node& node) { extract_aligned(node, "Minimum"); }
void extract_elementwise_mod(Node& node) { extract_aligned(node, "FloorMod"); }
void extract_elementwise_floordiv(Node& node) { extract_aligned(node, "FloorDiv"); }
void extract_elementwise_fmax(Node& node) { extract_aligned(node, "FMax"); }
void extract_elementwise_fmin(Node& node) { extract_aligned(node, "FMin"); }
void extract_elementwise_heaviside(Node& node) { extract_aligned(node, "Heaviside"); }
void extract_equal(Node& node) { extract_aligned(node, "Equal"); }
void extract_not_equal(Node& node) { extract_aligned(node, "NotEqual"); }
void extract_less_than(Node& node) { extract_aligned(node, "Less"); }
void extract_less_equal(Node& node) { extract_aligned(node, "LessEqual"); }
void extract_greater_than(Node& node) { extract_aligned(node, "Greater"); }
void extract_greater_equal(Node& node) { extract_aligned(node, "GreaterEqual"); }
void extract_logical_and(Node& node) { extract_aligned(node, "LogicalAnd"); }
void extract_logical_or(Node& node) { extract_aligned(node, "LogicalOr"); }
void extract_logical_xor(Node& node) { extract_aligned(node, "LogicalXor"); }
void extract_bitwise_and(Node& node) { extract_aligned(node, "BitwiseAnd"); }
void extract_bitwise_or(Node& node) { extract_aligned(node, "BitwiseOr"); }
void extract_bitwise_xor(Node& node) { extract_aligned(node, "BitwiseXor"); }

void extract_minus(Node& node) {
  const OutPort x = required(node, "X"), y = required(node, "Y");
  become(node, "Sub", {x, y});
}

void extract_atan2(Node& node) {
  const OutPort y = required(node, "X1"), x = required(node, "X2");
  become(node, "Atan2OfReals", {y, x});
}

void extract_lerp(Node& node) {
  const OutPort x = required(node, "X"), y = required(node, "Y"), weight = required(node, "Weight");
  become(node, "Lerp", {x, y, weight});
}

}  // namespace mo::paddle

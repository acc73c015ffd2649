// Functions of two tensors, and of a tensor and a number. Comparisons give numbers of the type of their input, those of
// MXNet's NumPy interface booleans.

#include <array>
#include <cstdlib>

#include "core/base/text.h"
#include "core/front/mxnet/extract/extractor.h"
#include "core/graph/framework_node.h"

namespace mo::mxnet {
namespace {

bool is_stored_integer(OutPort x) {
  return x.node().op() == "Const" && is_integer(x.node().get_constant("value")->type);
}

/// Both inputs, of one type: an input of the network without a type may meet integers of the file of arrays. Operators
/// of NumPy's interface have rules of their own.
std::array<OutPort, 2> pair_of(Node& node) {
  OutPort x = required(node, 0), y = required(node, 1);
  const bool of_numpy = node.pb && node.pb->op.starts_with("_np");
  if (of_numpy || is_stored_integer(x) == is_stored_integer(y)) return {x, y};
  Builder b(node);
  if (is_stored_integer(x)) return {b.op("ConvertLike", {x, y}), y};
  return {x, b.op("ConvertLike", {y, x})};
}

void of_two(Node& node, const char* op) {
  const auto [a, b] = pair_of(node);
  become(node, op, {a, b});
}

void compare(Node& node, const char* op) {
  const auto [a, b] = pair_of(node);
  const OutPort truth = Builder(node).op(op, {a, b});
  become(node, "ConvertLike", {truth, a});
}

void combine(Node& node, const char* op) {
  Builder b(node);
  const OutPort x = required(node, 0), y = required(node, 1);
  const OutPort left = b.op("NotEqual", {x, b.scalar_like(x, 0)}), right = b.op("NotEqual", {y, b.scalar_like(y, 0)});
  become(node, "ConvertLike", {b.op(op, {left, right}), x});
}

void with_scalar(Node& node, const char* operation, bool reversed = false, bool truth = false) {
  const OutPort x = required(node, 0);
  if (!is_given(node, "scalar")) throw Error(Code::MissingAttribute, "scalar");
  become(node, "WithScalar", {x},
         {{"operation", operation},
          {"scalar", float_of(node, "scalar")},
          {"whole", bool_of(node, "is_int", true)},
          {"reversed", reversed},
          {"truth", truth}});
}

}  // namespace

void extract_add(Node& node) { of_two(node, "Add"); }
void extract_sub(Node& node) { of_two(node, "Sub"); }
void extract_mul(Node& node) { of_two(node, "Mul"); }
void extract_power(Node& node) { of_two(node, "Pow"); }
void extract_maximum(Node& node) { of_two(node, "Maximum"); }
void extract_minimum(Node& node) { of_two(node, "Minimum"); }
void extract_mod(Node& node) { of_two(node, "ModOrZero"); }
void extract_hypot(Node& node) { of_two(node, "Hypot"); }
/// Integers are rounded towards 0.
void extract_div(Node& node) {
  const auto [a, b] = pair_of(node);
  become(node, "Div", {a, b}, {{"m_pythondiv", false}});
}

void extract_equal(Node& node) { compare(node, "Equal"); }
void extract_not_equal(Node& node) { compare(node, "NotEqual"); }
void extract_greater(Node& node) { compare(node, "Greater"); }
void extract_greater_equal(Node& node) { compare(node, "GreaterEqual"); }
void extract_lesser(Node& node) { compare(node, "Less"); }
void extract_lesser_equal(Node& node) { compare(node, "LessEqual"); }
void extract_logical_and(Node& node) { combine(node, "LogicalAnd"); }
void extract_logical_or(Node& node) { combine(node, "LogicalOr"); }
void extract_logical_xor(Node& node) { combine(node, "LogicalXor"); }

void extract_plus_scalar(Node& node) { with_scalar(node, "Add"); }
void extract_minus_scalar(Node& node) { with_scalar(node, "Sub"); }
void extract_rminus_scalar(Node& node) { with_scalar(node, "Sub", true); }
void extract_mul_scalar(Node& node) { with_scalar(node, "Mul"); }
void extract_div_scalar(Node& node) { with_scalar(node, "Div"); }
void extract_rdiv_scalar(Node& node) { with_scalar(node, "Div", true); }
void extract_mod_scalar(Node& node) { with_scalar(node, "ModOrZero"); }
void extract_rmod_scalar(Node& node) { with_scalar(node, "ModOrZero", true); }
void extract_power_scalar(Node& node) { with_scalar(node, "Pow"); }
void extract_rpower_scalar(Node& node) { with_scalar(node, "Pow", true); }
void extract_maximum_scalar(Node& node) { with_scalar(node, "Maximum"); }
void extract_minimum_scalar(Node& node) { with_scalar(node, "Minimum"); }
void extract_hypot_scalar(Node& node) { with_scalar(node, "Hypot"); }
void extract_equal_scalar(Node& node) { with_scalar(node, "Equal"); }
void extract_not_equal_scalar(Node& node) { with_scalar(node, "NotEqual"); }
void extract_greater_scalar(Node& node) { with_scalar(node, "Greater"); }
void extract_greater_equal_scalar(Node& node) { with_scalar(node, "GreaterEqual"); }
void extract_lesser_scalar(Node& node) { with_scalar(node, "Less"); }
void extract_lesser_equal_scalar(Node& node) { with_scalar(node, "LessEqual"); }
void extract_logical_and_scalar(Node& node) { with_scalar(node, "LogicalAnd"); }
void extract_logical_or_scalar(Node& node) { with_scalar(node, "LogicalOr"); }
void extract_logical_xor_scalar(Node& node) { with_scalar(node, "LogicalXor"); }

void extract_np_equal(Node& node) { of_two(node, "Equal"); }
void extract_np_not_equal(Node& node) { of_two(node, "NotEqual"); }
void extract_np_greater(Node& node) { of_two(node, "Greater"); }
void extract_np_greater_equal(Node& node) { of_two(node, "GreaterEqual"); }
void extract_np_less(Node& node) { of_two(node, "Less"); }
void extract_np_less_equal(Node& node) { of_two(node, "LessEqual"); }
void extract_np_equal_scalar(Node& node) { with_scalar(node, "Equal", false, true); }
void extract_np_not_equal_scalar(Node& node) { with_scalar(node, "NotEqual", false, true); }
void extract_np_greater_scalar(Node& node) { with_scalar(node, "Greater", false, true); }
void extract_np_greater_equal_scalar(Node& node) { with_scalar(node, "GreaterEqual", false, true); }
void extract_np_less_scalar(Node& node) { with_scalar(node, "Less", false, true); }
void extract_np_less_equal_scalar(Node& node) { with_scalar(node, "LessEqual", false, true); }
void extract_true_divide(Node& node) { of_two(node, "DivOfReals"); }
void extract_true_divide_scalar(Node& node) { with_scalar(node, "DivOfReals"); }
void extract_rtrue_divide_scalar(Node& node) { with_scalar(node, "DivOfReals", true); }
void extract_bitwise_and_scalar(Node& node) { with_scalar(node, "BitwiseAnd"); }
void extract_bitwise_or_scalar(Node& node) { with_scalar(node, "BitwiseOr"); }
void extract_bitwise_xor_scalar(Node& node) { with_scalar(node, "BitwiseXor"); }
void extract_arctan2_scalar(Node& node) { with_scalar(node, "Atan2OfReals"); }
void extract_rarctan2_scalar(Node& node) { with_scalar(node, "Atan2OfReals", true); }
void extract_ldexp_scalar(Node& node) { with_scalar(node, "LoadExponent"); }
void extract_rldexp_scalar(Node& node) { with_scalar(node, "LoadExponent", true); }
void extract_copysign_scalar(Node& node) { with_scalar(node, "CopySign"); }
void extract_rcopysign_scalar(Node& node) { with_scalar(node, "CopySign", true); }
void extract_fmax_scalar(Node& node) { with_scalar(node, "FMax"); }
void extract_fmin_scalar(Node& node) { with_scalar(node, "FMin"); }
void extract_arctan2(Node& node) { of_two(node, "Atan2OfReals"); }

void extract_logical_not(Node& node) {
  const OutPort x = required(node, 0);
  Builder b(node);
  become(node, "ConvertLike", {b.op("Equal", {x, b.scalar_like(x, 0)}), x});
}

void extract_add_n(Node& node) {
  const std::vector<OutPort> all = all_inputs(node);
  if (all.size() == 1) return become(node, "Identity", all);
  become(node, "EltwiseN", all, {{"operation", "sum"}});
}

void extract_clip(Node& node) {
  const OutPort x = required(node, 0);
  for (const char* key : {"a_min", "a_max"})
    if (!is_given(node, key)) throw Error(Code::MissingAttribute, std::string(key));
  become(node, "AttributedClamp", {x}, {{"min", float_of(node, "a_min")}, {"max", float_of(node, "a_max")}});
}

/// A bound may be missing.
void extract_np_clip(Node& node) {
  constexpr double kMost = 3.4028234663852886e38;
  const OutPort x = required(node, 0);
  become(node, "AttributedClamp", {x},
         {{"min", float_of(node, "a_min", -kMost)}, {"max", float_of(node, "a_max", kMost)}});
}

/// Numbers in place of those that are none, and of infinite ones.
void extract_nan_to_num(Node& node) {
  constexpr double kMost = 3.4028234663852886e38;
  const OutPort x = required(node, 0);
  become(node, "FiniteNumbers", {x},
         {{"nan", float_of(node, "nan")},
          {"least", float_of(node, "neginf", -kMost)},
          {"most", float_of(node, "posinf", kMost)}});
}

/// multiplier * x^exponent, as oneDNN's parts of MXNet 2 fuse it.
void extract_pow_mul_scalar(Node& node) {
  const OutPort x = required(node, 0);
  Builder b(node);
  const OutPort power = b.op("Pow", {x, b.scalar_like(x, float_of(node, "exponent", 1))});
  become(node, "Mul", {power, b.scalar_like(x, float_of(node, "multiplier", 1))});
}

/// To so many decimals; halves to even numbers.
void extract_around(Node& node) {
  const OutPort x = required(node, 0);
  const int64_t decimals = limited_int(node, "decimals", 0, -38, 38);
  if (decimals == 0) return become(node, "Round", {x}, {{"mode", "half_to_even"}});
  double scale = 1;
  for (int64_t i = 0; i < std::abs(decimals); ++i) scale *= 10;
  if (decimals < 0) scale = 1 / scale;
  Builder b(node);
  const OutPort whole = b.op("Round", {b.op("Mul", {x, b.scalar_like(x, scale)})}, {{"mode", "half_to_even"}});
  become(node, "Div", {whole, b.scalar_like(x, scale)});
}

/// A parabola between -1 / scalar^2 and 1 / scalar^2, straight lines outside.
void extract_smooth_l1(Node& node) {
  const OutPort x = required(node, 0);
  const double scalar = float_of(node, "scalar", 1), square = scalar * scalar;
  if (!(square > 0)) throw Error(Code::BadAttribute, msg(std::string("scalar"), " is ", scalar));
  become(node, "SmoothL1", {x}, {{"edge", 1 / square}, {"half", square / 2}, {"shift", 0.5 / square}});
}

/// a * x^2 + b * x + c
void extract_quadratic(Node& node) {
  const OutPort x = required(node, 0);
  become(node, "Quadratic", {x}, {{"a", float_of(node, "a")}, {"b", float_of(node, "b")}, {"c", float_of(node, "c")}});
}

/// Its other inputs say nothing of the values: labels, a tensor whose kind of storage is taken over.
void extract_first_input(Node& node) { become(node, "Identity", {required(node, 0)}); }

}  // namespace mo::mxnet

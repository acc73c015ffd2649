// Functions of elements that treat signs, NaN and infinity in a way of their own, and those of probabilities.

#include <cstdlib>
#include <limits>

#include "core/front/pytorch/extract/elementwise.h"

namespace mo::pytorch {
namespace {

/// The largest number of a type.
double largest_of(ElementType type) {
  switch (type) {
    case ElementType::F16: return 65504;
    case ElementType::BF16: return 3.3895313892515355e38;
    case ElementType::F64: return std::numeric_limits<double>::max();
    default: return std::numeric_limits<float>::max();
  }
}

/// In the type of the result.
void compute_real(Node& node, const char* op, std::string_view b = "other") {
  compute(node, op, "self", b, result_type(node));
}

/// 0 where x is 0, but NaN where y is.
void product_of_logarithm(Node& node, const char* op) {
  Builder b(node);
  const ElementType type = result_type(node);
  const OutPort x = operand(node, b, "self", type), y = operand(node, b, "other", type);
  give(node, {b.op("Select", {b.op("IsNaN", {y}), y, b.op(op, {x, y})})});
}

void is_infinite(Node& node, bool negative) {
  Builder b(node);
  const OutPort x = required(node, "self");
  if (is_float(type_of(node, "self")))
    return become(node, "IsInf", {x}, {{"detect_negative", negative}, {"detect_positive", !negative}});
  const OutPort no = number_as(b, ElementType::Bool, 0), shape = b.shape_of(x);
  become(node, "Broadcast", {no, shape}, {{"mode", "numpy"}});
}

}  // namespace

void extract_logaddexp(Node& node) { compute_real(node, "LogAddExp"); }
void extract_logaddexp2(Node& node) { compute_real(node, "LogAddExp2"); }
void extract_hypot(Node& node) { compute_real(node, "Hypot"); }
void extract_ldexp(Node& node) { compute_real(node, "LoadExponent"); }
void extract_copysign(Node& node) { compute_real(node, "CopySign"); }
void extract_heaviside(Node& node) { compute_real(node, "Heaviside", "values"); }
void extract_float_power(Node& node) { compute_real(node, "Pow", "exponent"); }
void extract_xlogy(Node& node) { product_of_logarithm(node, "Xlogy"); }
void extract_xlog1py(Node& node) { product_of_logarithm(node, "Xlog1py"); }
void extract_isposinf(Node& node) { is_infinite(node, false); }
void extract_isneginf(Node& node) { is_infinite(node, true); }

/// Of integers no zero is negative.
void extract_signbit(Node& node) {
  Builder b(node);
  const ElementType type = type_of(node, "self");
  const OutPort x = required(node, "self");
  if (is_float(type)) return become(node, "SignBit", {x});
  const ElementType own = type == ElementType::Bool ? ElementType::U8 : type;
  const OutPort y = as_type(b, x, type, own), zero = number_as(b, own, 0);
  become(node, "Less", {y, zero});
}

/// Numbers in place of NaN and infinity, by default 0 and the largest ones of the type.
void extract_nan_to_num(Node& node) {
  Builder b(node);
  const ElementType type = result_type(node);
  const OutPort x = operand(node, b, "self", type);
  if (!is_float(type)) return give(node, {x});
  const auto replacement = [&](const char* argument, double otherwise) {
    return number_as(b, type, node.has(argument) ? number_of(node, argument) : otherwise);
  };
  const auto infinite = [&](bool negative) {
    return b.op("IsInf", {x}, {{"detect_negative", negative}, {"detect_positive", !negative}});
  };
  OutPort y = b.op("Select", {b.op("IsNaN", {x}), replacement("nan", 0), x});
  y = b.op("Select", {infinite(false), replacement("posinf", largest_of(type)), y});
  give(node, {b.op("Select", {infinite(true), replacement("neginf", -largest_of(type)), y})});
}

/// log(x / (1 - x)) of x, with eps clamped to eps and 1 - eps.
void extract_logit(Node& node) {
  Builder b(node);
  OutPort x = operand(node, b, "self", result_type(node));
  if (node.has("eps")) {
    const double eps = number_of(node, "eps");
    x = b.op("AttributedClamp", {x}, {{"min", eps}, {"max", 1 - eps}});
  }
  become(node, "Logit", {x});
}

/// Infinite numbers are close to themselves only. Integers are compared as numbers.
void extract_isclose(Node& node) {
  Builder b(node);
  const ElementType common = common_type(node, "self", "other"), type = is_float(common) ? common : ElementType::F32;
  const OutPort x = operand(node, b, "self", type), y = operand(node, b, "other", type),
                relative = number_as(b, type, number_of(node, "rtol")),
                absolute = number_as(b, type, number_of(node, "atol"));
  OutPort close = b.op("IsClose", {x, y, relative, absolute});
  if (is_float(common)) {
    const OutPort finite = b.op("IsFinite", {b.op("Sub", {x, y})}), equal = b.op("Equal", {x, y});
    close = b.op("LogicalAnd", {close, b.op("LogicalOr", {finite, equal})});
    if (node.get_bool("equal_nan")) {
      const OutPort both = b.op("LogicalAnd", {b.op("IsNaN", {x}), b.op("IsNaN", {y})});
      close = b.op("LogicalOr", {close, both});
    }
  }
  give(node, {close});
}

/// The sum of the logarithms of gamma at x, x - 1/2, … p numbers.
void extract_multigammaln(Node& node) {
  constexpr double kLogOfPi = 1.1447298858494002;
  Builder b(node);
  const ElementType type = result_type(node);
  const int64_t p = int_of(node, "p");
  if (p < 1 || p > 100) throw Error(Code::UnsupportedForm, msg("p is ", p));
  const OutPort x = operand(node, b, "self", type);
  const auto count = static_cast<double>(p);
  OutPort sum = number_as(b, type, count * (count - 1) / 4 * kLogOfPi);
  for (int64_t i = 0; i < p; ++i) {
    const OutPort shifted = b.op("Sub", {x, number_as(b, type, static_cast<double>(i) / 2)});
    sum = b.op("Add", {sum, b.op("Lgamma", {shifted})});
  }
  give(node, {sum});
}

/// To a number of decimals, or of zeros before the point if it is negative.
void extract_round(Node& node) {
  const OutPort x = required(node, "self");
  const ElementType type = result_type(node);
  const int64_t decimals = node.has("decimals") ? int_of(node, "decimals") : 0;
  if (decimals == 0 || !is_float(type)) return become(node, "Round", {x}, {{"mode", "half_to_even"}});
  if (decimals < -38 || decimals > 38) throw Error(Code::UnsupportedForm, msg("decimals is ", decimals));
  Builder b(node);
  double power = 1;
  for (int64_t i = 0; i < std::abs(decimals); ++i) power *= 10;
  const OutPort factor = number_as(b, type, power);
  const char *before = decimals > 0 ? "Mul" : "Div", *after = decimals > 0 ? "Div" : "Mul";
  const OutPort whole = b.op("Round", {b.op(before, {x, factor})}, {{"mode", "half_to_even"}});
  become(node, after, {whole, factor});
}

}  // namespace mo::pytorch

// Arithmetic of complex tensors, real ones and numbers: functions of complex.def.

#include <cmath>

#include "core/base/text.h"
#include "core/front/pytorch/extract/complex.h"

namespace mo::pytorch {
namespace {

/// A factor that is real, as a tensor that goes with pairs; empty if it is complex.
OutPort real_factor(Node& node, Builder& b, std::string_view argument, ElementType type) {
  if (const OutPort port = input(node, argument)) {
    if (is_complex(node, argument)) return {};
    return b.unsqueeze(as_type(b, port, type_of(node, argument), type), {-1});
  }
  const auto [real, imaginary] = complex_number(node, argument);
  return imaginary == 0 ? b.constant(make_scalar(type, real)) : OutPort();
}

OutPort times(Node& node, Builder& b, OutPort x, std::string_view argument, ElementType type) {
  if (const OutPort factor = real_factor(node, b, argument, type)) return b.op("Mul", {x, factor});
  const OutPort y = pairs(node, b, argument, type);
  return b.op("ComplexProduct", {x, y});
}

bool is_one(const Node& node, std::string_view argument) {
  return !node.has(argument) || complex_number(node, argument) == std::pair(1.0, 0.0);
}

/// self + alpha * other, or with `reversed` other - alpha * self.
bool sum_of_pairs(Node& node, const char* op, bool reversed) {
  Builder b(node);
  const ElementType type = result_type(node);
  OutPort x = pairs(node, b, "self", type), y = pairs(node, b, "other", type);
  if (reversed) std::swap(x, y);
  if (!is_one(node, "alpha")) y = times(node, b, y, "alpha", type);
  become(node, op, {x, y});
  return true;
}

}  // namespace

bool complex_add(Node& node) { return sum_of_pairs(node, "Add", false); }
bool complex_sub(Node& node) { return sum_of_pairs(node, "Sub", false); }
bool complex_rsub(Node& node) { return sum_of_pairs(node, "Sub", true); }

bool complex_mul(Node& node) {
  Builder b(node);
  const ElementType type = result_type(node);
  if (const OutPort factor = real_factor(node, b, "other", type)) {
    const OutPort x = pairs(node, b, "self", type);
    become(node, "Mul", {x, factor});
  } else if (const OutPort first = real_factor(node, b, "self", type)) {
    const OutPort y = pairs(node, b, "other", type);
    become(node, "Mul", {first, y});
  } else {
    const OutPort x = pairs(node, b, "self", type), y = pairs(node, b, "other", type);
    become(node, "ComplexProduct", {x, y});
  }
  return true;
}

bool complex_div(Node& node) {
  if (!node.get_string("rounding_mode").empty()) throw not_complex(node);
  Builder b(node);
  const ElementType type = result_type(node);
  const OutPort x = pairs(node, b, "self", type), divisor = real_factor(node, b, "other", type);
  if (divisor)
    become(node, "Div", {x, divisor});
  else
    become(node, "ComplexQuotient", {x, pairs(node, b, "other", type)});
  return true;
}

/// Of a whole number, by squares; or the square root.
bool complex_pow(Node& node) {
  constexpr double kMost = 64;
  if (!is_complex(node, "self") || input(node, "exponent")) throw not_complex(node);
  const auto [exponent, imaginary] = complex_number(node, "exponent");
  const OutPort x = required(node, "self");
  if (exponent == 0.5 && imaginary == 0) return become(node, "ComplexSqrt", {x}), true;
  if (imaginary != 0 || exponent != std::trunc(exponent) || exponent == 0 || std::fabs(exponent) > kMost)
    throw Error(Code::UnsupportedForm, msg("complex numbers to the power of ", exponent));
  Builder b(node);
  OutPort out, square = x;
  for (auto left = static_cast<int64_t>(std::fabs(exponent)); left > 0; left /= 2) {
    if (left % 2 != 0) out = out ? b.op("ComplexProduct", {out, square}) : square;
    if (left > 1) square = b.op("ComplexProduct", {square, square});
  }
  if (exponent < 0)
    become(node, "ComplexReciprocal", {out});
  else
    give(node, {out});
  return true;
}

bool complex_square(Node& node) {
  const OutPort x = required(node, "self");
  become(node, "ComplexProduct", {x, x});
  return true;
}

/// A norm is that of magnitudes.
bool complex_magnitude(Node& node) {
  node.in(0).connect(Builder(node).op("ComplexAbs", {required(node, "self")}));
  node.attributes.erase("complex_inputs");
  return false;
}

}  // namespace mo::pytorch

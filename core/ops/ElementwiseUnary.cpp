// Mathematical functions of one input, element by element; the output has the input's shape and type.
// Abs, Acos, Asin, Atan, Ceiling, Cos, Cosh, Erf, Exp, Floor, Log, Negative, Sign, Sin, Sinh, Sqrt, Tan (opset1);
// Acosh, Asinh, Atanh (opset4); Round (opset5; mode half_to_even, half_away_from_zero).

#include <cmath>

#include "core/base/libm.h"
#include "core/ops/elementwise.h"

namespace mo {
namespace {

template <UnaryInterval Map>
void infer_unary_ints(InferContext& c) {
  infer_same_as_input(c);
  map_ints(c, Map);
}

template <float (*F32)(float), double (*F64)(double), UnaryInterval Map = nullptr>
void fold_unary_math(InferContext& c) {
  fold_elements(c, UnaryFold{F32, F64, Map});
}

template <typename T>
T abs_of(T x) {
  return std::fabs(x);
}
template <typename T>
T ceiling_of(T x) {
  return std::ceil(x);
}
template <typename T>
T floor_of(T x) {
  return std::floor(x);
}
template <typename T>
T negative_of(T x) {
  return -x;
}
template <typename T>
T sign_of(T x) {
  return x > 0 ? T(1) : x < 0 ? T(-1) : x;
}
template <typename T>
T sqrt_of(T x) {
  return std::sqrt(x);
}
template <typename T>
T half_to_even(T x) {
  const T down = std::floor(x), over = x - down;
  if (std::isnan(over)) return x;  // infinities and NaN
  const bool up = over > T(0.5) || (over == T(0.5) && std::fmod(down, T(2)) != 0);
  return std::copysign(up ? down + 1 : down, x);
}
template <typename T>
T half_away_from_zero(T x) {
  return std::round(x);
}

Interval negative_ints(Interval a) { return checked_sub(0, a); }
Interval abs_ints(Interval a) {
  return a.min >= 0 ? a : a.max <= 0 ? negative_ints(a) : Interval{0, max(a, negative_ints(a)).max};
}
Interval sign_ints(Interval a) { return {a.min > 0 ? 1 : a.min == 0 ? 0 : -1, a.max > 0 ? 1 : a.max == 0 ? 0 : -1}; }

void fold_round(InferContext& c) {
  if (c.node().get_string("mode", "half_to_even") == "half_to_even")
    fold_unary_math<half_to_even<float>, half_to_even<double>>(c);
  else
    fold_unary_math<half_away_from_zero<float>, half_away_from_zero<double>>(c);
}
void attributes_round(const Node& n, IrAttributes& a) { a.add("mode", n.get_string("mode", "half_to_even")); }

constexpr OpDef unary_math(std::string_view name, std::string_view version, void (*fold)(InferContext&),
                           void (*infer)(InferContext&) = infer_same_as_input) {
  return {.op = name, .type = name, .version = version, .infer = infer, .fold = fold};
}
#define LIBM(name) fold_unary_math<libm::name##f, libm::name>
#define EXACT(name) fold_unary_math<name##_of<float>, name##_of<double>>

constexpr OpDef kElementwiseUnaryDefs[] = {
    unary_math("Abs", "opset1", fold_unary_math<abs_of<float>, abs_of<double>, abs_ints>, infer_unary_ints<abs_ints>),
    unary_math("Acos", "opset1", LIBM(acos)),
    unary_math("Acosh", "opset4", LIBM(acosh)),
    unary_math("Asin", "opset1", LIBM(asin)),
    unary_math("Asinh", "opset4", LIBM(asinh)),
    unary_math("Atan", "opset1", LIBM(atan)),
    unary_math("Atanh", "opset4", LIBM(atanh)),
    unary_math("Ceiling", "opset1", EXACT(ceiling)),
    unary_math("Cos", "opset1", LIBM(cos)),
    unary_math("Cosh", "opset1", LIBM(cosh)),
    unary_math("Erf", "opset1", LIBM(erf)),
    unary_math("Exp", "opset1", LIBM(exp)),
    unary_math("Floor", "opset1", EXACT(floor)),
    unary_math("Log", "opset1", LIBM(log)),
    unary_math("Negative", "opset1", fold_unary_math<negative_of<float>, negative_of<double>, negative_ints>,
               infer_unary_ints<negative_ints>),
    unary_math("Sign", "opset1", fold_unary_math<sign_of<float>, sign_of<double>, sign_ints>,
               infer_unary_ints<sign_ints>),
    unary_math("Sin", "opset1", LIBM(sin)),
    unary_math("Sinh", "opset1", LIBM(sinh)),
    unary_math("Sqrt", "opset1", EXACT(sqrt)),
    unary_math("Tan", "opset1", LIBM(tan)),
    {.op = "Round",
     .type = "Round",
     .version = "opset5",
     .infer = infer_same_as_input,
     .ir_attributes = attributes_round,
     .fold = fold_round},
};
#undef LIBM
#undef EXACT

}  // namespace

OpFamily ops_ElementwiseUnary() { return kElementwiseUnaryDefs; }

}  // namespace mo

// Arithmetic of two inputs of one type with NumPy broadcasting, auto_broadcast="numpy" (opset1): Add, Sub (Subtract),
// Mul (Multiply), Div (Divide; m_pythondiv: integers round down instead of towards 0), Pow (Power), Maximum, Minimum,
// SquaredDifference, FloorMod (sign of the divisor), Mod (sign of the dividend).

#include <cmath>

#include "core/base/libm.h"
#include "core/ops/elementwise.h"

namespace mo {
namespace {

Interval add_ints(Interval a, Interval b) { return checked_add(a, b); }
Interval sub_ints(Interval a, Interval b) { return checked_sub(a, b); }
Interval mul_ints(Interval a, Interval b) { return checked_mul(a, b); }
/// Rounds towards 0.
Interval div_ints(Interval a, Interval b) {
  if (a.is_exact() && b.is_exact())
    return b.min == 0 || (a.min == INT64_MIN && b.min == -1) ? Interval{} : Interval(a.min / b.min);
  if (a.min >= 0 && b.min > 0) return floor_div(a, b);
  return {};
}
Interval python_div_ints(Interval a, Interval b) {
  if (a.is_exact() && b.is_exact() && b.min != 0 && a.min != INT64_MIN)
    return a.min / b.min - (a.min % b.min != 0 && (a.min < 0) != (b.min < 0));
  return div_ints(a, b);
}
Interval floor_mod_ints(Interval a, Interval b) {
  if (!b.is_exact() || b.min == 0 || b.min == INT64_MIN) return {};
  if (a.is_exact()) {
    const int64_t rest = b.min == -1 ? 0 : a.min % b.min;
    return rest != 0 && (rest < 0) != (b.min < 0) ? rest + b.min : rest;
  }
  if (b.min < 0) return {b.min + 1, 0};
  return a.min >= 0 && a.max < b.min ? a : Interval{0, b.min - 1};
}
Interval mod_ints(Interval a, Interval b) {
  if (!b.is_exact() || b.min == 0 || b.min == INT64_MIN) return {};
  if (a.is_exact()) return b.min == -1 ? 0 : a.min % b.min;
  const int64_t most = (b.min < 0 ? -b.min : b.min) - 1;
  if (a.min >= 0) return a.max <= most ? a : Interval{0, most};
  return {-most, most};
}
Interval power_ints(Interval a, Interval b) {
  if (!a.is_exact() || !b.is_exact() || b.min < 0) return {};
  int64_t result = 1, base = a.min;
  for (int64_t left = b.min; left > 0; left >>= 1) {
    if ((left & 1) && __builtin_mul_overflow(result, base, &result)) return {};
    if (left > 1 && __builtin_mul_overflow(base, base, &base)) return {};
  }
  return result;
}
Interval squared_difference_ints(Interval a, Interval b) {
  const Interval d = sub_ints(a, b);
  const Interval squared = mul_ints(d, d);
  return d.is_exact() ? squared : max(squared, Interval(0));
}
Interval maximum_ints(Interval a, Interval b) { return max(a, b); }
Interval minimum_ints(Interval a, Interval b) { return min(a, b); }

template <typename T>
T add_of(T x, T y) {
  return x + y;
}
template <typename T>
T sub_of(T x, T y) {
  return x - y;
}
template <typename T>
T mul_of(T x, T y) {
  return x * y;
}
template <typename T>
T div_of(T x, T y) {
  return x / y;
}
template <typename T>
T maximum_of(T x, T y) {
  return x > y ? x : y;
}
template <typename T>
T minimum_of(T x, T y) {
  return x < y ? x : y;
}
template <typename T>
T squared_difference_of(T x, T y) {
  return (x - y) * (x - y);
}
template <typename T>
T mod_of(T x, T y) {
  return std::fmod(x, y);
}
template <typename T>
T floor_mod_of(T x, T y) {
  const T rest = std::fmod(x, y);
  return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
}

template <float (*F32)(float, float), double (*F64)(double, double), BinaryInterval Map>
void fold_arithmetic(InferContext& c) {
  fold_elements(c, BinaryFold{F32, F64, Map});
}
template <BinaryInterval Map>
void infer_arithmetic(InferContext& c) {
  infer_numpy_broadcast(c);
  map_ints(c, Map);
}

bool is_python_div(const Node& n) { return n.get_bool("m_pythondiv", true); }
void infer_div(InferContext& c) {
  is_python_div(c.node()) ? infer_arithmetic<python_div_ints>(c) : infer_arithmetic<div_ints>(c);
}
void fold_div(InferContext& c) {
  is_python_div(c.node()) ? fold_arithmetic<div_of<float>, div_of<double>, python_div_ints>(c)
                          : fold_arithmetic<div_of<float>, div_of<double>, div_ints>(c);
}

void attributes_numpy(const Node&, IrAttributes& a) { a.add("auto_broadcast", "numpy"); }
void attributes_div(const Node& n, IrAttributes& a) {
  attributes_numpy(n, a);
  const OutPort x = n.source(0);
  a.add("m_pythondiv", is_python_div(n) || (x && is_float(x.tensor().type)));
}

constexpr OpDef arithmetic(std::string_view op, std::string_view type, void (*infer)(InferContext&),
                           void (*fold)(InferContext&)) {
  return {.op = op,
          .type = type,
          .version = "opset1",
          .infer = infer,
          .ir_attributes = attributes_numpy,
          .layout = kBroadcasting,
          .fold = fold};
}
#define ARITHMETIC(op, type, name) \
  arithmetic(op, type, infer_arithmetic<name##_ints>, fold_arithmetic<name##_of<float>, name##_of<double>, name##_ints>)

constexpr OpDef kElementwiseArithmeticDefs[] = {
    ARITHMETIC("Add", "Add", add),
    ARITHMETIC("Sub", "Subtract", sub),
    ARITHMETIC("Mul", "Multiply", mul),
    {.op = "Div",
     .type = "Divide",
     .version = "opset1",
     .infer = infer_div,
     .ir_attributes = attributes_div,
     .layout = kBroadcasting,
     .fold = fold_div},
    arithmetic("Pow", "Power", infer_arithmetic<power_ints>, fold_arithmetic<libm::powf, libm::pow, power_ints>),
    ARITHMETIC("Maximum", "Maximum", maximum),
    ARITHMETIC("Minimum", "Minimum", minimum),
    ARITHMETIC("SquaredDifference", "SquaredDifference", squared_difference),
    ARITHMETIC("FloorMod", "FloorMod", floor_mod),
    ARITHMETIC("Mod", "Mod", mod),
};
#undef ARITHMETIC

}  // namespace

OpFamily ops_ElementwiseArithmetic() { return kElementwiseArithmeticDefs; }

}  // namespace mo

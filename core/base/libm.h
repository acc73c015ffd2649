// The transcendental functions of all hosts: the same arguments give the same bits. Folding never uses those of
// <cmath>, except the exact ones (abs, floor, ceil, trunc, rint, fmod, sqrt, ldexp), which are the same everywhere.
#pragma once

#include <limits>

// clang-format off
#define MO_LIBM_UNARY(X)                                                    \
  X(exp) X(exp2) X(expm1) X(log) X(log2) X(log10) X(log1p) X(cbrt)          \
  X(sinh) X(cosh) X(tanh) X(asinh) X(atanh) X(sin) X(cos) X(tan)            \
  X(asin) X(acos) X(atan) X(erf)
// clang-format on
#define MO_LIBM_BINARY(X) X(pow) X(atan2)

extern "C" {
#define MO_LIBM_DECLARE(name)    \
  double mo_libm_##name(double); \
  float mo_libm_##name##f(float);
MO_LIBM_UNARY(MO_LIBM_DECLARE)
#undef MO_LIBM_DECLARE
#define MO_LIBM_DECLARE(name)            \
  double mo_libm_##name(double, double); \
  float mo_libm_##name##f(float, float);
MO_LIBM_BINARY(MO_LIBM_DECLARE)
#undef MO_LIBM_DECLARE
double mo_libm_acosh(double);
float mo_libm_acoshf(float);
}

namespace mo::libm {

#define MO_LIBM_DEFINE(name)                                 \
  inline double name(double x) { return mo_libm_##name(x); } \
  inline float name##f(float x) { return mo_libm_##name##f(x); }
MO_LIBM_UNARY(MO_LIBM_DEFINE)
#undef MO_LIBM_DEFINE
#define MO_LIBM_DEFINE(name)                                              \
  inline double name(double x, double y) { return mo_libm_##name(x, y); } \
  inline float name##f(float x, float y) { return mo_libm_##name##f(x, y); }
MO_LIBM_BINARY(MO_LIBM_DEFINE)
#undef MO_LIBM_DEFINE

// For some arguments below 1 musl 1.2.3 returns numbers instead of NaN.
inline double acosh(double x) { return x < 1 ? std::numeric_limits<double>::quiet_NaN() : mo_libm_acosh(x); }
inline float acoshf(float x) { return x < 1 ? std::numeric_limits<float>::quiet_NaN() : mo_libm_acoshf(x); }

}  // namespace mo::libm

#undef MO_LIBM_UNARY
#undef MO_LIBM_BINARY

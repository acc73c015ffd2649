// The transcendental functions of all hosts: same arguments, same bits. Folding uses these and never <cmath>'s, except
// for the exact ones (abs, floor, ceil, trunc, rint, fmod, sqrt, ldexp), which are the same everywhere.
#pragma once

#define MO_LIBM_UNARY(X) \
  X(exp) X(exp2) X(expm1) X(log) X(log2) X(log10) X(log1p) X(cbrt) X(sinh) X(cosh) X(tanh) X(asinh) X(acosh) X(atanh) \
  X(sin) X(cos) X(tan) X(asin) X(acos) X(atan) X(erf)
#define MO_LIBM_BINARY(X) X(pow) X(atan2)

extern "C" {
#define MO_LIBM_DECLARE(name) \
  double mo_libm_##name(double); \
  float mo_libm_##name##f(float);
MO_LIBM_UNARY(MO_LIBM_DECLARE)
#undef MO_LIBM_DECLARE
#define MO_LIBM_DECLARE(name) \
  double mo_libm_##name(double, double); \
  float mo_libm_##name##f(float, float);
MO_LIBM_BINARY(MO_LIBM_DECLARE)
#undef MO_LIBM_DECLARE
}

namespace mo::libm {

#define MO_LIBM_DEFINE(name) \
  inline double name(double x) { return mo_libm_##name(x); } \
  inline float name##f(float x) { return mo_libm_##name##f(x); }
MO_LIBM_UNARY(MO_LIBM_DEFINE)
#undef MO_LIBM_DEFINE
#define MO_LIBM_DEFINE(name) \
  inline double name(double x, double y) { return mo_libm_##name(x, y); } \
  inline float name##f(float x, float y) { return mo_libm_##name##f(x, y); }
MO_LIBM_BINARY(MO_LIBM_DEFINE)
#undef MO_LIBM_DEFINE

}  // namespace mo::libm

#undef MO_LIBM_UNARY
#undef MO_LIBM_BINARY

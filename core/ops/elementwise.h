// Shared by element-wise operations: broadcasting, integers known element by element, folding of small constants.
#pragma once

#include "core/ops/op_def.h"

namespace mo {

/// Output 0 has the shape and type of input 0.
void infer_same_as_input(InferContext& c);
/// The element type of inputs 0 and 1; if only one is known, that one. Throws UnsupportedType when they differ.
ElementType common_type(const InferContext& c);
/// Output 0 is the NumPy broadcast of inputs 0 and 1. Its type is the inputs' type, or boolean for a predicate.
void infer_numpy_broadcast(InferContext& c, bool predicate = false);

/// Integers of output 0 from those of input 0, or of inputs 0 and 1, as far as they are known.
using UnaryInterval = Interval (*)(Interval);
using BinaryInterval = Interval (*)(Interval, Interval);
void map_ints(InferContext& c, UnaryInterval map);
void map_ints(InferContext& c, BinaryInterval map);

/// Computes output 0 from known inputs: floating point in its own precision (types narrower than f32 in f32); integers
/// and booleans through `map`, even more than Tensor::kMaxInts of them. With a null function nothing is computed.
struct UnaryFold {
  float (*f32)(float) = nullptr;
  double (*f64)(double) = nullptr;
  UnaryInterval map = nullptr;
};
struct BinaryFold {
  float (*f32)(float, float) = nullptr;
  double (*f64)(double, double) = nullptr;
  BinaryInterval map = nullptr;
};
void fold_elements(InferContext& c, const UnaryFold& fold);
void fold_elements(InferContext& c, const BinaryFold& fold);
/// The same for a predicate on floating-point numbers.
void fold_predicate(InferContext& c, bool (*test)(double, double), BinaryInterval map);

/// For every element of `to`, row by row: the element of `from` that broadcasts to it.
std::vector<size_t> broadcast_sources(const Shape& from, const Shape& to);

/// A constant of `type` (floating point, at least 8 bits); numbers beyond its precision are rounded once.
Constant make_floats(ElementType type, Shape shape, const std::vector<double>& values);
/// A constant of an integer type or boolean; keeps the low bits.
Constant make_ints(ElementType type, Shape shape, const std::vector<int64_t>& values);

/// `value` if the type can hold it. Values that overflow wrap at run time; here they are unknown.
Interval fit_interval(Interval value, ElementType type);
/// The sum, the difference and the product of 64-bit integers; unbounded if they may overflow.
Interval checked_add(Interval a, Interval b);
Interval checked_sub(Interval a, Interval b);
Interval checked_mul(Interval a, Interval b);

}  // namespace mo

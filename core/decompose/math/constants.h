// Small constants for decompositions.
#pragma once

#include <optional>

#include "core/build/builder.h"

namespace mo {

/// `value` in every element of a tensor of that shape and of the type of `like`.
OutPort splat_like(Builder& b, OutPort like, const Shape& shape, double value);
/// Numbers of an attribute as a constant of that type, which is never compressed to f16: thresholds, features and
/// labels may have any magnitude. Throws ShapeMismatch when their number does not fit the shape.
OutPort precise_constant(Builder& b, ElementType type, const Shape& shape, const Doubles& values);
/// x converted to the type of `like`; unchanged if it has that type.
OutPort convert_like(Builder& b, OutPort x, OutPort like);
/// x with these dimensions (-1: the remaining one). A constant stays a constant if all are given.
OutPort reshaped(Builder& b, OutPort x, const Shape& shape);
/// The number in a small constant whose elements are all equal; nullopt for others.
std::optional<double> known_number(Builder& b, OutPort x);
/// All axes of x in ascending order; computed at run time if the rank is unknown.
OutPort all_axes(Builder& b, OutPort x);

/// Reduction `op` over all axes to a scalar; a scalar is returned unchanged.
OutPort reduced_to_scalar(Builder& b, const char* op, OutPort x);

}  // namespace mo

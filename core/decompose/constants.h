// Small constants in the words of a decomposition.
#pragma once

#include <optional>

#include "core/build/builder.h"

namespace mo {

/// `value` in every element of a tensor of that shape and of the type of `like`.
OutPort splat_like(Builder& b, OutPort like, const Shape& shape, double value);
/// x in the type of `like`; untouched when it has it already.
OutPort convert_like(Builder& b, OutPort x, OutPort like);
/// x with these dimensions (-1: what is left); a constant stays one when all are given.
OutPort reshaped(Builder& b, OutPort x, const Shape& shape);
/// The number in every element of a small constant that has the same in all; none for all others.
std::optional<double> known_number(Builder& b, OutPort x);
/// All axes of x in ascending order, at run time when the rank is not known.
OutPort all_axes(Builder& b, OutPort x);

/// Reduction `op` over all axes to a scalar; a scalar is left as it is.
OutPort reduced_to_scalar(Builder& b, const char* op, OutPort x);

}  // namespace mo

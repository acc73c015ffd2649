// Conditions of If, Loop, Case and While, and trip counts.
#pragma once

#include "core/build/builder.h"

namespace mo {

/// x, which has one element, with rank 0 or 1 as IR wants it. Throws ShapeMismatch if it has another known number of
/// elements.
OutPort single(Builder& b, OutPort x);
/// Whether x is true, as a boolean of rank 0 or 1. A `lone` x has one element, whatever its rank, and is true if that
/// is not 0. Otherwise this holds for scalars only; another tensor is true if it is not empty. Throws UnsupportedForm
/// for texts.
OutPort truth_of(Builder& b, OutPort x, bool lone);

}  // namespace mo

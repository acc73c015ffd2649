// Tensors as lists of rows, their slices along the first axis or another.
#pragma once

#include "core/build/builder.h"

namespace mo {

/// x with its first `axes` axes as one.
OutPort as_rows(Builder& b, OutPort x, int64_t axes);
/// `count` rows like those of x, each element of which is the scalar `value`. `count` is i64, of one dimension. What is
/// known about the dimensions of x stays known.
OutPort filled_rows(Builder& b, OutPort value, OutPort count, OutPort x);

/// The part of x from place `from` to place `to` of an axis; both are i64 [1].
OutPort between(Builder& b, OutPort x, OutPort from, OutPort to, int64_t axis = 0);

}  // namespace mo

// Tensors as lists of rows, their slices along the first axis.
#pragma once

#include "core/build/builder.h"

namespace mo {

/// x with its first `axes` axes as one.
OutPort as_rows(Builder& b, OutPort x, int64_t axes);
/// `count` rows like those of x, each element of which is the scalar `value`. `count` is i64, of one dimension. What is
/// known about the dimensions of x stays known.
OutPort filled_rows(Builder& b, OutPort value, OutPort count, OutPort x);

}  // namespace mo

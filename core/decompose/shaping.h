// Other shapes of a tensor, in the words of a decomposition.
#pragma once

#include "core/build/builder.h"

namespace mo {

/// x as [the product of the dimensions before `axis`, the product of the others]. Throws BadValue for an axis that x
/// cannot have; an axis of its rank is one.
OutPort flattened(Builder& b, OutPort x, int64_t axis);
/// x, of one element, as a scalar.
OutPort to_scalar(Builder& b, OutPort x);
/// x, of an integer type, as an i64 scalar.
OutPort to_i64_scalar(Builder& b, OutPort x);
/// Dimension `axis` of x as an i64 scalar.
OutPort dimension_of(Builder& b, OutPort x, int64_t axis);
/// 0, 1, … count - 1; `count` is an i64 scalar.
OutPort counted(Builder& b, OutPort count);
/// An index below 0 counts from the end of `size`; both i64 or both i32. Untouched where none can be below 0.
OutPort from_front(Builder& b, OutPort indices, OutPort size);

}  // namespace mo

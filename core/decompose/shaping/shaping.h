// Changes of shape, for decompositions.
#pragma once

#include "core/build/builder.h"

namespace mo {

/// x as [product of the dimensions before `axis`, product of the others]. `axis` may equal the rank. Throws BadValue
/// for other axes outside the rank.
OutPort flattened(Builder& b, OutPort x, int64_t axis);
/// x with dimensions of 1 behind its last one, so that its first one is dimension `axis` of `rank`.
OutPort aligned_at(Builder& b, OutPort x, int64_t axis, int64_t rank);
/// x, of one element, as a scalar.
OutPort to_scalar(Builder& b, OutPort x);
/// x, of an integer type, as an i64 scalar.
OutPort to_i64_scalar(Builder& b, OutPort x);
/// Dimension `axis` of x as an i64 scalar.
OutPort dimension_of(Builder& b, OutPort x, int64_t axis);
/// 0, 1, … count - 1; `count` is an i64 scalar.
OutPort counted(Builder& b, OutPort count);
/// Makes negative indices count from the end of `size`; both i64 or both i32. Unchanged if none can be negative.
OutPort from_front(Builder& b, OutPort indices, OutPort size);

}  // namespace mo

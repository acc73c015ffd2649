// The rotation of query and key according to their positions.
#pragma once

#include "core/build/builder.h"

namespace mo::onnx {

/// Rotates the first `part` elements (0: all) of each head of x [batch, heads, length, size] and keeps the others.
/// `cosine` and `sine` are [batch or 1, 1, length, half of the part]. An element of the first half is rotated with its
/// counterpart in the second half, or with `interleaved`, an even element with the next one.
OutPort rotated(Builder& b, OutPort x, OutPort cosine, OutPort sine, int64_t part, bool interleaved);

/// The same of x [batch, length, heads, size]; the result is [batch, heads, length, size].
OutPort transposed_and_rotated(Builder& b, OutPort x, OutPort cosine, OutPort sine, int64_t part, bool interleaved);

}  // namespace mo::onnx

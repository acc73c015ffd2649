// The rotation of query and key according to their positions.
#pragma once

#include "core/build/builder.h"

namespace mo::onnx {

/// Rotates the first `part` elements (0: all) of each head of x [., ., ., size] and keeps the others. `cosine` and
/// `sine` broadcast to [., ., ., half of the part]. An element of the first half is rotated with its counterpart in the
/// second half, or with `interleaved`, an even element with the next one.
OutPort rotated(Builder& b, OutPort x, OutPort cosine, OutPort sine, int64_t part, bool interleaved);

}  // namespace mo::onnx

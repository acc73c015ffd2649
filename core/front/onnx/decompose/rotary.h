// The rotation of query and key according to their positions.
#pragma once

#include "core/build/builder.h"

namespace mo::onnx {

/// Rotates the first `part` elements (0: all) of each head of x [., ., ., size] and keeps the others. `cosine` and
/// `sine` broadcast to [., ., ., half of the part]. The two halves of a head form pairs, or with `interleaved` its
/// neighbouring elements.
OutPort rotated(Builder& b, OutPort x, OutPort cosine, OutPort sine, int64_t part, bool interleaved);

}  // namespace mo::onnx

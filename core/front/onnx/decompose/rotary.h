// The rotation of query and key by their positions.
#pragma once

#include "core/build/builder.h"

namespace mo::onnx {

/// The first `part` elements (0: all) of each head of x [., ., ., size] rotated, the others as they are. `cosine` and
/// `sine` broadcast to [., ., ., half of the part]; the halves of a head go together, or, `interleaved`, its
/// neighbours.
OutPort rotated(Builder& b, OutPort x, OutPort cosine, OutPort sine, int64_t part, bool interleaved);

}  // namespace mo::onnx

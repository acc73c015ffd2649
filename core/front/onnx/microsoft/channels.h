// Data of com.microsoft whose channels are the last dimension.
#pragma once

#include "core/build/builder.h"

namespace mo::onnx {

/// x [N, …, C] as [N, C, …]. Throws UnsupportedForm for an unknown rank and one without spatial dimensions.
OutPort channels_first(Builder& b, OutPort x);
/// x [N, C, …] of this rank as [N, …, C].
OutPort channels_last(Builder& b, OutPort x, int rank);

}  // namespace mo::onnx

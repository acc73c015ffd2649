// Layers that IR has no sequence for.
#pragma once

#include "core/decompose/recurrent/layer.h"

namespace mo {

/// All directions, each as a TensorIterator of step().
RecurrentOutputs recurrent_loop(Builder& b, const RecurrentLayer& layer);

/// Zeros of the type of x for states [batch, directions (if > 0), size].
OutPort zero_states(Builder& b, OutPort x, OutPort batch, int directions, int64_t size);

}  // namespace mo

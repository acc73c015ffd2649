// Layers that IR has no sequence for.
#pragma once

#include "core/decompose/recurrent/layer.h"

namespace mo {

/// All directions, each as a TensorIterator of step().
RecurrentOutputs recurrent_loop(Builder& b, const RecurrentLayer& layer);

/// Zeros of the type of x for states [batch, directions (if > 0), size].
OutPort zero_states(Builder& b, OutPort x, OutPort batch, int directions, int64_t size);
/// The state [batch, sizes…]. A constant is spread over an unknown batch: the CPU plugin does not compile the sequence
/// otherwise (docs/runtime.md), nor that of 2023.3 the loop.
OutPort of_batch(Builder& b, OutPort state, OutPort x, int batch_axis, List<int64_t> sizes);

}  // namespace mo

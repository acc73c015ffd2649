// What ONNX's convolutions share on their way to IR.
#pragma once

#include "core/build/builder.h"

namespace mo {

/// Weights [A, B, …] as [G, A/G, B, …]; constant weights stay a place. Throws ShapeMismatch when G does not divide A.
OutPort grouped_weights(Builder& b, OutPort weights, int64_t group);
/// y + bias, the bias being one number for each channel of [N, C, spatial…].
OutPort add_bias(Builder& b, OutPort y, OutPort bias, size_t axes);
/// A tensor of one number a channel as [C, 1…] with `axes` ones; a constant stays one.
OutPort per_channel(Builder& b, OutPort x, size_t axes);

}  // namespace mo

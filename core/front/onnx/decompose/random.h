// ONNX's random numbers.
#pragma once

#include "core/build/builder.h"

namespace mo::onnx {

/// f32 numbers from [low, high), of that shape. `stream` tells apart several of one node; its attribute `seed`, where
/// there is one, makes them the same in every run.
OutPort uniform_numbers(Builder& b, const Node& node, OutPort shape, double low, double high, int64_t stream = 0);

}  // namespace mo::onnx

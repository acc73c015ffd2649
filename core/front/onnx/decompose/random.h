// ONNX's random numbers.
#pragma once

#include "core/build/builder.h"

namespace mo::onnx {

/// f32 numbers from [low, high) in that shape. `stream` distinguishes several calls for one node. With attribute `seed`
/// every run gives the same numbers.
OutPort uniform_numbers(Builder& b, const Node& node, OutPort shape, double low, double high, int64_t stream = 0);

}  // namespace mo::onnx

// ONNX's random numbers.
#pragma once

#include "core/build/builder.h"

namespace mo::onnx {

/// The attributes op_seed and global_seed of IR if the node has attribute `seed`: with it every run gives the same
/// numbers.
Attributes seeds_of(const Node& node, int64_t stream = 0);

/// f32 numbers from [low, high) in that shape. `stream` distinguishes several calls for one node.
OutPort uniform_numbers(Builder& b, const Node& node, OutPort shape, double low, double high, int64_t stream = 0);

}  // namespace mo::onnx

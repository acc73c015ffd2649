// Keys and values that GroupQueryAttention keeps as integers.
#pragma once

#include "core/build/builder.h"

namespace mo::onnx {

/// How keys or values [batch, heads, length, size] are kept: as i8, or with 4 bits as two numbers in a byte, to which 8
/// is added: even elements in the low bits.
struct QuantizedCache {
  OutPort scale;  ///< broadcast to the heads; a scale of 0 counts as 1 where it divides
  int64_t bits = 8;
};

/// The form of the node's keys or values, from its attribute `type` (PER_TENSOR or PER_CHANNEL) and its input `scale`.
/// Throws UnsupportedForm for another type and BadAttribute for other numbers of bits.
QuantizedCache quantized_cache(Builder& b, const Node& node, const char* type, int scale);
/// x as it is kept.
OutPort kept(Builder& b, OutPort x, const QuantizedCache& cache);
/// What is kept as numbers of the type of `like`.
OutPort restored(Builder& b, OutPort x, const QuantizedCache& cache, OutPort like);

}  // namespace mo::onnx

// Linear quantisation in forms that OpenVINO knows: FakeQuantize and Convert; Convert, Subtract and Multiply.
#pragma once

#include "core/build/builder.h"

namespace mo {

/// How a scale and a zero point go with the data.
struct Granularity {
  int64_t axis = 1;   ///< of one number an index, or of blocks
  int64_t block = 0;  ///< elements that share a number; 0: not in blocks
};

/// x, or when IR does not have its type, the same numbers in a type that holds them all: constants, and integers that
/// quantize() has made. Throws UnsupportedType for all else.
OutPort in_type_of_ir(Builder& b, OutPort x);

/// (x - zero_point) * scale in `type` (Unknown: the scale's). `zero_point` may be empty.
OutPort dequantize(Builder& b, OutPort x, OutPort scale, OutPort zero_point, Granularity by, ElementType type);
/// saturate(round(x / scale) + zero_point) as `type`, computed in `precision` (Unknown: the scale's).
OutPort quantize(Builder& b, OutPort x, OutPort scale, OutPort zero_point, Granularity by, ElementType type,
                 ElementType precision, bool saturate = true);

/// x - zero_point in f32; `axis` is where a zero point of several numbers stands in x.
OutPort without_zero_point(Builder& b, OutPort x, OutPort zero_point, int64_t axis);

}  // namespace mo

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

/// Input `x` of the node, dequantised by the scale and zero point at its other inputs; the latter may be free. Throws
/// MissingInput.
OutPort real_input(Builder& b, const Node& node, int x, int scale, int zero_point, int64_t axis);
/// y quantised by the node's inputs `scale` and, behind it, its zero point, to whose type it comes; without one to the
/// type of input `like`. Throws MissingInput.
OutPort quantized_like_input(Builder& b, const Node& node, OutPort y, int scale, int like);

/// x - zero_point in f32; `axis` is where a zero point of several numbers stands in x.
OutPort without_zero_point(Builder& b, OutPort x, OutPort zero_point, int64_t axis);

}  // namespace mo

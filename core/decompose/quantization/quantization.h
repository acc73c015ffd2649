// Linear quantisation in forms that OpenVINO knows: FakeQuantize and Convert; Convert, Subtract and Multiply.
#pragma once

#include "core/build/builder.h"

namespace mo {

/// How scale and zero point apply to the data.
struct Granularity {
  int64_t axis = 1;   ///< axis of the numbers, or of the blocks
  int64_t block = 0;  ///< elements that share a number; 0: no blocks
};

/// x, or if IR does not have its type, the same numbers in a wider type: for constants, and for integers from
/// quantize(). Throws UnsupportedType in other cases.
OutPort in_type_of_ir(Builder& b, OutPort x);

/// (x - zero_point) * scale in `type` (Unknown: the scale's). `zero_point` may be empty.
OutPort dequantize(Builder& b, OutPort x, OutPort scale, OutPort zero_point, Granularity by, ElementType type);
/// saturate(round(x / scale) + zero_point) as `type`, computed in `precision` (Unknown: the scale's).
OutPort quantize(Builder& b, OutPort x, OutPort scale, OutPort zero_point, Granularity by, ElementType type,
                 ElementType precision, bool saturate = true);

/// Input `x` of the node, dequantised with the scale and zero point at its other inputs. The zero point may be
/// unconnected. Throws MissingInput.
OutPort real_input(Builder& b, const Node& node, int x, int scale, int zero_point, int64_t axis);
/// y quantised with the node's input `scale` and the next input, its zero point, to the type of the zero point; without
/// one to the type of input `like`. Throws MissingInput.
OutPort quantized_like_input(Builder& b, const Node& node, OutPort y, int scale, int like);

/// x - zero_point in f32; `axis` is the axis of x for a zero point of several numbers.
OutPort without_zero_point(Builder& b, OutPort x, OutPort zero_point, int64_t axis);

}  // namespace mo

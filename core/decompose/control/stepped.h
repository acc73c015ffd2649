// Ends of slices with steps, as PaddlePaddle counts them.
#pragma once

#include "core/build/builder.h"

namespace mo {

/// The ends as IR's Slice counts them. With a negative step, -1 is before the first element, and other negative numbers
/// count from the end of the axis, but not beyond its first element, which is then not taken.
OutPort stepped_ends(Builder& b, const Node& node, OutPort x, OutPort ends, OutPort steps, const Ints& axes);

}  // namespace mo

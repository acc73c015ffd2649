// Padding: constant, with a value that may be computed, and none.
#pragma once

#include "core/build/builder.h"

namespace mo {

/// Pad(x, begin, end, value) {constant}; value is a scalar of the type of x. If it is computed and the pads are known,
/// a Select puts it where the padding is: the runtime's Pad treats it as 0 there.
OutPort padded_with(Builder& b, OutPort x, OutPort begin, OutPort end, OutPort value);

/// Whether all pads, integers of any shape, are known to be 0.
bool pads_nothing(OutPort pads);

}  // namespace mo

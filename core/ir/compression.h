// OpenVINO's rule for which constants become f16 in a compressed IR.
#pragma once

#include "core/base/content.h"

namespace mo {

/// Whether compress_to_f16() should be applied: the constant is f32 or f64, not empty, and less than 75 % of its
/// elements are outside f16's range (larger than 65504, or below the smallest subnormal but not 0). Reads the constant
/// once, only as far as necessary. Throws LargeOutput as Files::count_read(), and the errors of
/// reading.
bool should_compress(const Constant& constant, Files& files);

}  // namespace mo

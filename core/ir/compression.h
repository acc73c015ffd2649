// Which constants become f16 in a compressed IR: OpenVINO's rule.
#pragma once

#include "core/base/content.h"

namespace mo {

/// Whether compress_to_f16() may take the constant: f32 or f64, not empty, and less than 75 % of its elements outside
/// f16's range (larger than 65504, or below the smallest subnormal but not 0). Reads the constant once, and no further
/// than the verdict needs. Throws what reading throws.
bool should_compress(const Constant& constant, Files& files);

}  // namespace mo

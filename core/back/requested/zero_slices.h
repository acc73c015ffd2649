// Which parts of weights are 0.
#pragma once

#include <vector>

#include "core/base/content.h"

namespace mo {

/// For each index of `axis`: whether all elements there are 0. For types of whole bytes. Reads the constant once, piece
/// by piece. Throws LargeOutput as Files::count_read(), and the errors of reading.
std::vector<bool> zero_slices(const Constant& constant, size_t axis, Files& files);

}  // namespace mo

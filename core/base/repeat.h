// A constant, again and again.
#pragma once

#include "core/base/content.h"

namespace mo {

/// The source `count` times along a new first axis. A recipe, as those of content.h.
Constant repeat(const Constant& source, int64_t count);

}  // namespace mo

// Contents of which the order of elements does not matter.
#pragma once

#include "core/base/content.h"

namespace mo {

/// A content with the same elements, in the order that takes the least work to read.
ContentPtr in_any_order(const ContentPtr& content);

}  // namespace mo

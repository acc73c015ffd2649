// Tensors of texts.
#pragma once

#include <string>
#include <vector>

#include "core/base/content.h"

namespace mo {

/// A constant of texts in IR's packed form: their number, the offsets where each begins and the last ends, the texts.
Constant make_texts(Shape shape, const std::vector<std::string>& texts);

}  // namespace mo

// Tensors of strings.
#pragma once

#include <string>
#include <vector>

#include "core/base/content.h"

namespace mo {

/// A constant of strings in IR's packed form: their number, the offset where each begins and where the last ends, the
/// characters.
Constant make_texts(Shape shape, const std::vector<std::string>& texts);

}  // namespace mo

// Tensors of strings.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/content.h"

namespace mo {

/// A constant of strings in IR's packed form: their number, the offset where each begins and where the last ends, the
/// characters.
Constant make_texts(Shape shape, const std::vector<std::string>& texts);
/// The strings of such a constant, as make_texts() made it; nullopt for another type, or for a file's bytes.
std::optional<std::vector<std::string>> texts_of(const Constant& constant);

}  // namespace mo

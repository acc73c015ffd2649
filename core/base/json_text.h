// JSON that is written piece by piece: for lists of all nodes of a model, which a tree of values would make large.
#pragma once

#include <string>
#include <string_view>

#include "core/base/text.h"

namespace mo {

/// The text in quotes.
std::string json_text(std::string_view text);
/// Begins a JSON object or list, or a further item of one.
void separate(std::string& out, std::string_view open);

}  // namespace mo

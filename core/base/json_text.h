// JSON that is written piece by piece: for lists of all nodes of a model, which a tree of values would make large.
#pragma once

#include <string>
#include <string_view>

#include "core/base/text.h"

namespace mo {

/// The text in quotes, as the IR has it; unsafe characters are escapes.
std::string json_text(std::string_view text);
/// A tree of values (nlohmann::json) as text, without unsafe characters.
template <typename Json>
std::string json_of(const Json& tree, int indent = -1) {
  return printable_json(tree.dump(indent, ' ', false, Json::error_handler_t::replace));
}
/// Begins a JSON object or list, or a further item of one.
void separate(std::string& out, std::string_view open);

}  // namespace mo

#pragma once

#include <string_view>

#include "core/graph/node.h"

namespace mo {

/// Applies an extractor's table: "name=default", "name>internal_name=default" or "name>internal_name", separated by
/// blanks.
void apply_attributes(Node& node, std::string_view rows);
/// The value of an attribute as tables write it: a whole number, a number, or a text.
Attribute literal(const std::string& text);

}  // namespace mo

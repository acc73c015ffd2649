// Conversion between JSON and the transformations configuration. Only for files named json_*: the library is slow to
// compile.
#pragma once

#include <nlohmann/json.hpp>

#include "core/front/config/transformations_config.h"

namespace mo {

/// Objects keep their keys in the order of the text.
using Json = nlohmann::ordered_json;

/// Throws ConfigNotJson with line and column, also if the text is nested too deeply or too long.
Json parse_config_text(std::string_view text);
/// Whether it is a whole number that fits int64_t.
bool is_int(const Json& value);
CustomAttributes read_custom_attributes(const Json& object);

}  // namespace mo

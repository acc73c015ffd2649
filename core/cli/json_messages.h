// Messages as the lines of --json have them.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "core/mo.h"

namespace mo {

nlohmann::ordered_json json_list(const std::vector<Message>& messages);
/// The line of --json for a command line, or a file that it names, that is refused before a model is opened.
std::string json_of_refusal(const std::vector<Message>& messages);

}  // namespace mo

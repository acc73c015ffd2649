// The script that compares an IR with its source.
#pragma once

#include <string>
#include <string_view>

namespace mo {

/// The script of core/cli/check_script/ with these facts. `model` is the model's path as given, "-" for the standard
/// input.
std::string check_script(std::string_view facts, const std::string& model);

}  // namespace mo

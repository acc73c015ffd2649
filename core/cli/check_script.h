// The script that compares an IR with its source.
#pragma once

#include <string>
#include <string_view>

namespace mo {

/// The name of the script for the IR called `name`.
std::string check_script_name(const std::string& name);

/// core/cli/check_script.py with these facts. `model` is the model's path as given, "-" for the standard input.
std::string check_script(std::string_view facts, const std::string& model);

}  // namespace mo

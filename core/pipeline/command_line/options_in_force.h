#pragma once

#include <string>

#include "core/mo.h"

namespace mo {

/// What --silent False prints first, in Model Optimizer's form.
std::string options_in_force(const CommandLine& line);

}  // namespace mo

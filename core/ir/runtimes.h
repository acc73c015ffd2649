// Which OpenVINO releases read an IR. The oldest that matters is 2023.3; runtimes.def tells what came later.
#pragma once

#include <string_view>

#include "core/base/element_type.h"

namespace mo {

inline constexpr std::string_view kOldestRuntime = "2023.3";
/// The first release that reads the operation `type` of `version` ("opset15"), not older than kOldestRuntime. Releases
/// compare as texts. An operation that runtimes.def does not list came at the latest with the release that closed its
/// operation set.
std::string_view first_runtime(std::string_view type, std::string_view version);
std::string_view first_runtime(ElementType type);

}  // namespace mo

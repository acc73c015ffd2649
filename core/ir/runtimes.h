// Which OpenVINO releases read an IR. The oldest supported one is 2023.3; runtimes.def lists what came later.
#pragma once

#include <string_view>

#include "core/base/element_type.h"

namespace mo {

inline constexpr std::string_view kOldestRuntime = "2023.3";
/// The first release that reads operation `type` of `version` ("opset15"), at least kOldestRuntime. Releases compare as
/// texts. An operation that runtimes.def does not list is readable from the release that completed its operation set.
std::string_view first_runtime(std::string_view type, std::string_view version);
std::string_view first_runtime(ElementType type);

}  // namespace mo

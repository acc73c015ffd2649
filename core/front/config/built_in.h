// The transformations configurations that are part of the program: core/front/config/built_in/.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace mo {

/// The text of the configuration of that name, with or without ".json". A path counts if it ends like those of Model
/// Optimizer's files: front/<framework>/<name>.json.
std::optional<std::string> built_in_config(std::string_view path);
/// A line for each: its name, its framework, and the ids of its entries.
std::string list_configurations();

}  // namespace mo

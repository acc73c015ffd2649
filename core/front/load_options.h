// The options for a loader, by name and type.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace mo {

/// The given options of scope Load in core/pipeline/options.def, and model_name, which chooses a model where a file has
/// several.
struct LoadOptions {
  std::set<std::string, std::less<>> flags;               ///< kinds Flag and Switch: those that are set
  std::map<std::string, std::string, std::less<>> texts;  ///< kind Text
  std::map<std::string, std::string, std::less<>> paths;  ///< kind Path: names of side files for Files::open_given()

  bool has(std::string_view flag) const { return flags.find(flag) != flags.end(); }
  /// Empty if the option is not given.
  std::string text(std::string_view name) const {
    const auto found = texts.find(name);
    return found == texts.end() ? std::string() : found->second;
  }
};

}  // namespace mo

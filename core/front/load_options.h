// The options that a loader gets, by their names and of their types.
#pragma once

#include <map>
#include <set>
#include <string>

namespace mo {

/// Rows of core/pipeline/options.def of scope Load that are given.
struct LoadOptions {
  std::set<std::string, std::less<>> flags;               ///< kinds Flag and Switch: those that are on
  std::map<std::string, std::string, std::less<>> texts;  ///< kind Text
  std::map<std::string, std::string, std::less<>> paths;  ///< kind Path: names of side files for Files::open_given()
};

}  // namespace mo

#include <algorithm>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/front/loader.h"

namespace mo {
namespace {

/// The role that an option names; null for other options.
const Role* role_of(std::string_view option) {
  for (const Format& format : all_formats())
    for (const Role& role : format.loader().roles())
      if (role.option == option) return &role;
  return nullptr;
}

}  // namespace

std::vector<std::string> option_paths(std::string_view option, const std::string& value) {
  const Role* role = role_of(option);
  return role && role->several ? split(value, ',') : std::vector{value};
}

std::vector<std::string> option_files(FileSet& set, std::string_view option, const std::string& value) {
  try {
    Files files(set);
    const Role* role = role_of(option);
    std::vector<std::string> named = role ? given_companion(*role, files, value).files : std::vector{value};
    std::erase_if(named, [&](const std::string& name) { return !files.has(name); });
    return named;
  } catch (const Error&) {
    return {value};
  }
}

}  // namespace mo

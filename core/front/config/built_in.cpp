#include "core/front/config/built_in.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/mo.h"

namespace mo {
namespace {

constexpr std::string_view kEntries[] = {
#define MO_CONFIGURATION_ENTRY(text) text,
#define MO_CONFIGURATION(framework, name, ...)
#include "built_in_configurations.inc"
#undef MO_CONFIGURATION_ENTRY
#undef MO_CONFIGURATION
};

/// `entries` are numbers of entries, from 1 on; 0 ends them.
struct BuiltIn {
  std::string_view framework, name;
  uint8_t entries[8];
};
constexpr BuiltIn kConfigurations[] = {
#define MO_CONFIGURATION_ENTRY(text)
#define MO_CONFIGURATION(framework, name, ...) {framework, name, {__VA_ARGS__}},
#include "built_in_configurations.inc"
};
static_assert(std::size(kEntries) < 256);

std::string join_entries(const BuiltIn& row, std::string_view separator,
                         std::string_view (*shown)(std::string_view entry)) {
  std::string out;
  for (const uint8_t* entry = row.entries; *entry; ++entry)
    out += cat(entry == row.entries ? "" : separator, shown(kEntries[*entry - 1]));
  return out;
}

std::string_view id_of(std::string_view entry) {
  constexpr std::string_view kBefore = "\"id\":\"";
  entry.remove_prefix(entry.find(kBefore) + kBefore.size());
  return entry.substr(0, entry.find('"'));
}

}  // namespace

std::optional<std::string> built_in_config(std::string_view path) {
  std::string name(path);
  std::replace(name.begin(), name.end(), '\\', '/');
  if (name.ends_with(".json")) name.resize(name.size() - 5);
  for (const BuiltIn& row : kConfigurations) {
    const std::string place = cat("front/", row.framework, "/", row.name);
    if (name == row.name || name == place || name.ends_with("/" + place))
      return cat("[", join_entries(row, ",", [](std::string_view entry) { return entry; }), "]");
  }
  return std::nullopt;
}

bool is_built_in_config(std::string_view path) { return built_in_config(path).has_value(); }

std::string list_configurations() {
  size_t width = 0;
  for (const BuiltIn& row : kConfigurations) width = std::max(width, row.name.size());
  std::string out;
  for (const BuiltIn& row : kConfigurations)
    out += cat(row.name, ".json", std::string(width - row.name.size() + 2, ' '), row.framework,
               std::string(7 - row.framework.size(), ' '), join_entries(row, ", ", id_of), "\n");
  return out;
}

}  // namespace mo

#include "core/pipeline/option_table.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/text.h"

namespace mo {

const std::vector<OptionRow>& all_options() {
  static const std::vector<OptionRow> rows = {
#define MO_OPTION(name, short_names, kind, value, default_text, scope, group, help, ...) \
  {#name,                                                                                \
   short_names,                                                                          \
   OptionKind::kind,                                                                     \
   default_text,                                                                         \
   OptionScope::scope,                                                                   \
   OptionGroup::group,                                                                   \
   OptionFacts{__VA_ARGS__}},
#include "core/pipeline/options.def"
  };
  return rows;
}

const OptionRow* find_option(std::string_view name) {
  std::string spelled(name);
  std::replace(spelled.begin(), spelled.end(), '-', '_');
  for (const OptionRow& row : all_options())
    if (row.name == spelled) return &row;
  return nullptr;
}

Detail nearest_option(std::string_view name) {
  std::string_view nearest;
  // A word of one or two letters is near to any other.
  size_t least = std::min(std::max<size_t>(name.size() / 3, 2) + 1, name.size());
  for (const OptionRow& row : all_options())
    if (const size_t d = edit_distance(name, row.name, least); d < least) least = d, nearest = row.name;
  return nearest.empty() ? Detail() : did_you_mean(nearest);
}

Detail did_you_mean(std::string_view option) { return msg(" (did you mean --", option, "?)"); }

}  // namespace mo

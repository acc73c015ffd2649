#include <algorithm>
#include <iterator>

#include "core/cli/texts/texts.h"

namespace mo {

OptionDescription describe(const OptionRow& row) {
  static constexpr struct {
    std::string_view name;
    OptionDescription description;
  } kRows[] = {
#define MO_OPTION(name, short_names, kind, value, default_text, scope, group, help, ...) {#name, {value, help}},
#include "core/pipeline/options.def"
  };
  return std::find_if(std::begin(kRows), std::end(kRows), [&](const auto& one) { return one.name == row.name; })
      ->description;
}

bool is_carried_out(const OptionRow& row, bool native) {
  return row.scope != OptionScope::Waiting && (row.facts.native || !native);
}

}  // namespace mo

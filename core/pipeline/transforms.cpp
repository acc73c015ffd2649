#include "core/pipeline/transforms.h"

#include <algorithm>

#include "core/base/text.h"

namespace mo {

#define MO_TRANSFORM(name, phase, frameworks, description) std::unique_ptr<Transform> make_##name();
#include "core/pipeline/transforms.def"

std::span<const TransformRow> all_transforms() {
  static constexpr TransformRow kRows[] = {
#define MO_TRANSFORM(name, phase, frameworks, description) {#name, Phase::phase, #frameworks, description, make_##name},
#include "core/pipeline/transforms.def"
  };
  return kRows;
}

bool TransformRow::is_for(std::string_view model) const {
  if (frameworks == "any" || model.empty()) return true;
  const std::vector<std::string> names = split(frameworks, ' ');
  return std::find(names.begin(), names.end(), model) != names.end();
}

std::string_view phase_name(Phase phase) {
  constexpr std::string_view kNames[] = {"front", "infer", "middle", "layout", "back"};
  return kNames[static_cast<size_t>(phase)];
}

}  // namespace mo

#include "core/pipeline/transforms.h"

namespace mo {

#define MO_TRANSFORM(name, phase, framework, description) std::unique_ptr<Transform> make_##name();
#include "core/pipeline/transforms.def"

std::span<const TransformRow> all_transforms() {
  static constexpr TransformRow kRows[] = {
#define MO_TRANSFORM(name, phase, framework, description) {#name, Phase::phase, #framework, description, make_##name},
#include "core/pipeline/transforms.def"
  };
  return kRows;
}

std::string_view phase_name(Phase phase) {
  constexpr std::string_view kNames[] = {"front", "infer", "middle", "layout", "back"};
  return kNames[static_cast<size_t>(phase)];
}

}  // namespace mo

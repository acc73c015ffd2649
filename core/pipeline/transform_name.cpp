#include "core/pipeline/transform_name.h"

#include <algorithm>
#include <array>

#include "core/base/text.h"

namespace mo {
namespace {

constexpr std::string_view kOriginals[] = {
#define MO_ORIGINAL(name) #name,
#include "core/pipeline/original_transforms.def"
};

}  // namespace

TransformName::TransformName(std::string_view text) : text_(text), name_(text) {
  constexpr std::array<std::string_view, 4> kPhases = {"front", "middle", "back", "load"};
  const std::vector<std::string> parts = split(text_, '.');
  if (parts.size() < 2) return;
  for (const std::string& part : parts)
    if (std::find(kPhases.begin(), kPhases.end(), part) != kPhases.end()) phase_ = part;
  name_ = parts.back();
}

bool TransformName::means(std::string_view name, std::string_view id, Phase phase) const {
  if (!id.empty() && id == text_) return true;
  if (name != name_) return false;
  return phase_.empty() || phase == Phase::Infer || phase == Phase::Layout || phase_ == phase_name(phase);
}

bool TransformName::is_original() const {
  return std::binary_search(std::begin(kOriginals), std::end(kOriginals), name_);
}

}  // namespace mo

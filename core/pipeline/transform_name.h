// How users name transforms: by id, class, or full name.
#pragma once

#include <string>
#include <string_view>

#include "core/rewrite/transform.h"

namespace mo {

class TransformName {
 public:
  explicit TransformName(std::string_view text);
  /// Whether a transform of that class, id and phase is meant. Phases that the original does not have fit any.
  bool means(std::string_view name, std::string_view id, Phase phase) const;
  /// Whether the original, for any framework, has a class of that name.
  bool is_original() const;

 private:
  std::string text_, phase_, name_;
};

}  // namespace mo

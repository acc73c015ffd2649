// The ways in which users name transforms: id, class, or full name.
#pragma once

#include <string>
#include <string_view>

#include "core/rewrite/transform.h"

namespace mo {

class TransformName {
 public:
  explicit TransformName(std::string_view text);
  /// Whether the name refers to a transform of that class, id and phase. A phase that Model Optimizer does not have
  /// matches any.
  bool means(std::string_view name, std::string_view id, Phase phase) const;
  /// Whether Model Optimizer has a class of that name for any framework.
  bool is_original() const;

 private:
  std::string text_, phase_, name_;
};

}  // namespace mo

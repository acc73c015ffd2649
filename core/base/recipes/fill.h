// Equal elements. Not for use outside core/base.
#pragma once

#include "core/base/recipes/recipe.h"

namespace mo {

class FillContent final : public Recipe {
 public:
  static constexpr RecipeKind kKind = RecipeKind::Fill;
  /// `element` as fill() takes it.
  FillContent(ElementType type, uint64_t elements, std::vector<std::byte> element);
  std::unique_ptr<ContentReader> open(Files& files) const override;
  std::string identity() const override;

  const std::vector<std::byte>& element() const { return element_; }
  /// The element, repeated within a byte for packed types.
  const std::vector<std::byte>& pattern() const { return pattern_; }
  /// The bits of the last byte that belong to elements.
  std::byte last_mask() const { return last_mask_; }

 private:
  std::vector<std::byte> element_, pattern_;
  std::byte last_mask_{0xff};
};

/// The element of a fill; null for other contents.
const std::vector<std::byte>* fill_element(const Constant& constant);

}  // namespace mo

// Elements of another type. Not for use outside core/base.
#pragma once

#include "core/base/recipes/recipe.h"

namespace mo {

enum class Rounding { Usual, Compressed };

class ConvertContent final : public Recipe {
 public:
  static constexpr RecipeKind kKind = RecipeKind::Convert;
  ConvertContent(const Constant& source, ElementType to, Rounding rounding);
  std::unique_ptr<ContentReader> open(Files& files) const override;
  std::string identity() const override;

  ElementType from() const { return from_; }
  ElementType to() const { return to_; }
  Rounding rounding() const { return rounding_; }
  uint64_t elements() const { return elements_; }

 private:
  ElementType from_, to_;
  Rounding rounding_;
  uint64_t elements_;
};

}  // namespace mo

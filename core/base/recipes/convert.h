// Conversion to another element type. Not for use outside core/base.
#pragma once

#include "core/base/recipes/recipe.h"

namespace mo {

/// Compress: to f16 by the rule for weights. Pack: from one byte per element to a packed type.
enum class ConvertMode { Usual, Compress, Pack };

class ConvertContent final : public Recipe {
 public:
  static constexpr RecipeKind kKind = RecipeKind::Convert;
  ConvertContent(const Constant& source, ElementType to, ConvertMode mode);
  std::unique_ptr<ContentReader> open(Files& files) const override;
  std::string identity() const override;
  uint64_t best_piece() const override;

  ElementType from() const { return from_; }
  ElementType to() const { return to_; }
  ConvertMode mode() const { return mode_; }
  uint64_t elements() const { return elements_; }

 private:
  ElementType from_, to_;
  ConvertMode mode_;
  uint64_t elements_;
};

}  // namespace mo

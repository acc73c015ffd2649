// Byte ranges of other contents, one after the other, repeated row by row. Concat, slice and reorder along any axis are
// such strips. Not for use outside core/base.
#pragma once

#include "core/base/recipes/recipe.h"

namespace mo {

/// In row r: bytes [offset + r * stride, offset + r * stride + length) of the source.
struct Strip {
  ContentPtr source;
  uint64_t offset = 0, stride = 0, length = 0;
};

class StripsContent final : public Recipe {
 public:
  static constexpr RecipeKind kKind = RecipeKind::Strips;
  /// A strip: its source as an index into sources(), and in `begin` its offset within a row.
  struct Part {
    size_t source;
    uint64_t offset, stride, length, begin;
  };

  StripsContent(uint64_t rows, const std::vector<Strip>& strips);
  std::unique_ptr<ContentReader> open(Files& files) const override;
  std::string identity() const override;

  uint64_t rows() const { return rows_; }
  uint64_t row_bytes() const { return row_bytes_; }
  const std::vector<Part>& parts() const { return parts_; }

 private:
  uint64_t rows_, row_bytes_ = 0;
  std::vector<Part> parts_;
};

/// The strips as a constant. Neighbouring strips that continue each other are merged. If one range of a slice is left,
/// the result is that slice and not a recipe.
Constant make_strips(ElementType type, Shape shape, uint64_t rows, const std::vector<Strip>& strips);

}  // namespace mo

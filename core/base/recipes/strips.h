// Byte ranges of other contents, one behind the other, the whole repeated row by row: what concat, slice and reorder
// along any axis come down to. Not for use outside core/base.
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
  /// A strip, its source as an index into sources(), and where it begins within a row.
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

/// The strips as a constant. Neighbouring strips that continue each other become one; what is one range of a slice in
/// the end is that slice and no recipe.
Constant make_strips(ElementType type, Shape shape, uint64_t rows, const std::vector<Strip>& strips);

}  // namespace mo

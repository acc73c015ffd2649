// A matrix in memory, in the order in which its transpose needs it. Not for use outside core/base.
#pragma once

#include <algorithm>

#include "core/base/content.h"
#include "core/base/recipes/runs.h"
#include "core/base/scratch.h"

namespace mo {

/// A panel is as many columns as fill a line of the cache: those of the first row, of the second row, and so on. Rows
/// of the transpose then come from one stretch of memory. They would need one line of each row of the matrix, which lie
/// in as many pages.
class Panels {
 public:
  struct Panel {
    uint64_t column, width;  ///< which columns
    uint64_t begin;          ///< in bytes()
  };

  /// Reads a matrix of `rows` and `columns` from its beginning to its end. One row stays as it is.
  void read(ContentReader& source, uint64_t rows, uint64_t columns, uint64_t element_bytes);
  uint64_t columns() const { return columns_; }
  /// All panels, in the order of the columns; null before they are read.
  const std::byte* bytes() const { return is_read_ ? bytes_.data() : nullptr; }

  /// Calls `action(panel, first, n)` for the panels that have some of `n` columns from `first` on, and with those.
  template <typename Action>
  void for_each(uint64_t first, uint64_t n, const Action& action) const {
    for (const uint64_t end = first + n; first < end;) {
      const uint64_t column = first / width_ * width_, width = std::min(width_, columns_ - column);
      const uint64_t here = std::min(end, column + width) - first;
      action(Panel{column, width, column * rows_ * element_bytes_}, first, here);
      first += here;
    }
  }

 private:
  void put(const std::byte* from, uint64_t row, uint64_t rows, uint64_t column, uint64_t columns);

  Scratch kept_, strip_;
  std::span<std::byte> bytes_;
  bool is_read_ = false;
  uint64_t rows_ = 0, columns_ = 0, width_ = 1, element_bytes_ = 1;
};

}  // namespace mo

#include "core/base/recipes/panels.h"

#include <cstring>

namespace mo {
namespace {

/// Bytes read at once: they are put into panels while the second cache has them.
constexpr uint64_t kStripBytes = 256 * 1024;

}  // namespace

void Panels::read(ContentReader& source, uint64_t rows, uint64_t columns, uint64_t element_bytes) {
  rows_ = rows, columns_ = columns, element_bytes_ = element_bytes;
  width_ = kLineBytes / element_bytes;
  bytes_ = kept_.get(static_cast<size_t>(rows * columns * element_bytes));
  const uint64_t high = std::clamp<uint64_t>(kStripBytes / element_bytes / columns, 1, rows);
  const uint64_t wide = std::min(columns, kStripBytes / element_bytes);
  for (uint64_t row = 0; row < rows; row += high)
    for (uint64_t column = 0; column < columns; column += wide) {
      const uint64_t height = std::min(high, rows - row), width = std::min(wide, columns - column);
      const auto strip = strip_.get(static_cast<size_t>(height * width * element_bytes));
      source.read((row * columns + column) * element_bytes, strip);
      put(strip.data(), row, height, column, width);
    }
  is_read_ = true;
}

/// A part of one row, or whole rows.
void Panels::put(const std::byte* from, uint64_t row, uint64_t rows, uint64_t column, uint64_t columns) {
  for_each(column, columns, [&](const Panel& panel, uint64_t first, uint64_t n) {
    const auto bytes = static_cast<size_t>(n * element_bytes_);
    const std::byte* source = from + (first - column) * element_bytes_;
    std::byte* target = bytes_.data() + panel.begin + (row * panel.width + first - panel.column) * element_bytes_;
    for (uint64_t i = 0; i < rows; ++i) {
      if (bytes == kLineBytes)
        std::memcpy(target, source, kLineBytes);  // a size that compilers know
      else
        std::memcpy(target, source, bytes);
      source += columns * element_bytes_;
      target += panel.width * element_bytes_;
    }
  });
}

}  // namespace mo

#include "core/back/requested/zero_slices.h"

#include <algorithm>

namespace mo {
namespace {

/// Whether all elements are 0; the sign of a floating-point 0 does not count.
bool all_zero(std::span<const std::byte> bytes, size_t width, bool has_sign) {
  std::byte any{0};
  for (size_t i = 0; i < bytes.size(); ++i)
    any |= has_sign && i % width == width - 1 ? bytes[i] & std::byte{0x7f} : bytes[i];
  return any == std::byte{0};
}

}  // namespace

std::vector<bool> zero_slices(const Constant& constant, size_t axis, Files& files) {
  files.count_read(*constant.content);
  const auto width = static_cast<uint64_t>(bits(constant.type)) / 8;
  uint64_t slice = width;  // bytes of one index in one row
  for (size_t i = axis + 1; i < constant.shape.size(); ++i) slice *= static_cast<uint64_t>(constant.shape[i]);
  const auto count = static_cast<uint64_t>(constant.shape[axis]);
  std::vector<bool> zero(count, true);
  const uint64_t size = constant.content->size();
  if (slice == 0) return zero;
  const auto reader = constant.content->open(files);
  std::vector<std::byte> buffer(static_cast<size_t>(std::min(size, Content::kCachedPiece)));
  for (uint64_t offset = 0; offset < size;) {
    const auto n = static_cast<size_t>(std::min<uint64_t>(buffer.size(), size - offset));
    reader->read(offset, std::span(buffer).first(n));
    for (size_t at = 0; at < n;) {
      const uint64_t whole = offset + at, index = whole / slice % count;
      const auto end = static_cast<size_t>(std::min<uint64_t>(n, at + (slice - whole % slice)));
      if (zero[index]) zero[index] = all_zero(std::span(buffer).subspan(at, end - at), width, is_float(constant.type));
      at = end;
    }
    offset += n;
  }
  return zero;
}

}  // namespace mo

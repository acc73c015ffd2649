#include "core/ir/compression.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>

#include "core/base/any_order.h"
#include "core/base/half.h"

namespace mo {
namespace {

/// The most bytes read at a time.
constexpr uint64_t kScanBytes = 4 * 1024 * 1024;
/// Share of the elements; compared in f32 as in OpenVINO.
constexpr float kKeepThreshold = 0.75f;

bool stays_f32(uint64_t outside, uint64_t elements) {
  return static_cast<float>(outside) / static_cast<float>(elements) >= kKeepThreshold;
}

/// The bits of a number without its sign; those of NaN are above those of infinity.
uint32_t magnitude(float value) { return std::bit_cast<uint32_t>(value) & 0x7fffffff; }
uint64_t magnitude(double value) { return std::bit_cast<uint64_t>(value) & 0x7fffffffffffffff; }

/// The number of elements that f16 cannot hold: too large, or not 0 and below the smallest subnormal. NaN does not
/// count. Bits are compared instead of numbers: two subtractions and comparisons for each element. WebAssembly hosts
/// optimise a function that is called often, so this one is not inlined into the loop over the pieces.
template <typename T>
[[gnu::noinline]] uint64_t count_outside(std::span<const std::byte> bytes) {
  const auto smallest = magnitude(T{kMinF16}), largest = magnitude(T{kMaxF16});
  const auto infinity = magnitude(std::numeric_limits<T>::infinity());
  std::array<T, 1024> values{};  // always counted in full, for vector instructions; unused elements are 0
  uint64_t outside = 0;
  for (size_t at = 0; at < bytes.size(); at += sizeof values) {
    const size_t n = std::min(sizeof values, bytes.size() - at);
    std::memcpy(values.data(), bytes.data() + at, n);
    if (n < sizeof values) std::fill(values.begin() + static_cast<ptrdiff_t>(n / sizeof(T)), values.end(), T{0});
    uint32_t count = 0;
    for (const T value : values) {
      const auto bits = magnitude(value);
      count += (bits - 1 < smallest - 1) | (bits - largest - 1 < infinity - largest);
    }
    outside += count;
  }
  return outside;
}

}  // namespace

bool should_compress(const Constant& constant, Files& files) {
  const uint64_t elements = constant.elements();
  if ((constant.type != ElementType::F32 && constant.type != ElementType::F64) || elements == 0) return false;
  const uint64_t size = constant.content->size(), width = static_cast<uint64_t>(bits(constant.type)) / 8;
  files.count_read(*constant.content);
  const ContentPtr content = in_any_order(constant.content);
  const auto reader = content->open(files);
  std::vector<std::byte> buffer(
      static_cast<size_t>(std::min({size, kScanBytes, content->best_piece() / width * width})));
  const auto count = width == 4 ? &count_outside<float> : &count_outside<double>;
  uint64_t outside = 0;
  for (uint64_t offset = 0; offset < size;) {
    const std::span<std::byte> piece(buffer.data(),
                                     static_cast<size_t>(std::min<uint64_t>(buffer.size(), size - offset)));
    reader->read(offset, piece);
    outside += count(piece);
    offset += piece.size();
    // Enough elements are inside: the rest cannot change the result.
    if (!stays_f32(outside + (size - offset) / width, elements)) return true;
  }
  return !stays_f32(outside, elements);
}

}  // namespace mo

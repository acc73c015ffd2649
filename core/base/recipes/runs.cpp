#include "core/base/recipes/runs.h"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

namespace mo {
namespace {

/// Sixteen bytes of elements. Compilers make vector instructions of them where the machine has them.
using Four = uint32_t __attribute__((vector_size(16)));
using Eight = uint16_t __attribute__((vector_size(16)));

/// How many elements of how many runs are transposed in vectors.
template <typename T>
constexpr size_t kBlock = 16 / sizeof(T);

/// The elements of both in turns: those of the lower halves in `a`, those of the upper halves in `b`. All of a block is
/// one stretch of instructions without loops, so that vectors stay in registers on every host.
[[gnu::always_inline]] inline void interleave(Four& a, Four& b) {
  const Four x = a, y = b;
  a = __builtin_shufflevector(x, y, 0, 4, 1, 5);
  b = __builtin_shufflevector(x, y, 2, 6, 3, 7);
}

[[gnu::always_inline]] inline void interleave(Eight& a, Eight& b) {
  const Eight x = a, y = b;
  a = __builtin_shufflevector(x, y, 0, 8, 1, 9, 2, 10, 3, 11);
  b = __builtin_shufflevector(x, y, 4, 12, 5, 13, 6, 14, 7, 15);
}

/// Interleaves each vector with the one that is `distance` behind it.
template <size_t distance, typename Vector, size_t... i>
[[gnu::always_inline]] inline void interleave_all(Vector* rows, std::index_sequence<i...>) {
  (interleave(rows[i / distance * 2 * distance + i % distance],
              rows[i / distance * 2 * distance + i % distance + distance]),
   ...);
}

/// Element i of run r, which is at `from(r)`, becomes element r of row i; rows are `stride` bytes apart.
template <typename T, typename From, size_t... r>
[[gnu::always_inline]] inline void transpose_block(const From& from, std::byte* to, size_t stride,
                                                   std::index_sequence<r...>) {
  constexpr std::make_index_sequence<sizeof...(r) / 2> pairs;
  std::conditional_t<sizeof(T) == 4, Four, Eight> rows[sizeof...(r)];
  (std::memcpy(&rows[r], from(r), sizeof rows[r]), ...);
  if constexpr (sizeof(T) == 2) interleave_all<4>(rows, pairs);
  interleave_all<2>(rows, pairs);
  interleave_all<1>(rows, pairs);
  (std::memcpy(to + r * stride, &rows[r], sizeof rows[r]), ...);
}

/// In squares of whole lines on both sides, so that no line is fetched twice.
template <typename T>
void lay_out_as(const RunBytes& from, const std::vector<Run>& runs, size_t length, uint64_t out_stride,
                std::byte* out) {
  constexpr size_t tile = kLineBytes / sizeof(T), n = kBlock<T>;
  const auto element = [&](size_t r, size_t i) {
    return from.bytes + ((runs[r].source - from.origin) * from.pitch + i) * sizeof(T);
  };
  const auto target = [&](size_t r, size_t i) { return out + (runs[r].out + i * out_stride) * sizeof(T); };
  const auto one_by_one = [&](size_t r0, size_t r1, size_t i0, size_t i1) {
    for (size_t i = i0; i < i1; ++i)
      for (size_t r = r0; r < r1; ++r) std::memcpy(target(r, i), element(r, i), sizeof(T));
  };
  for (size_t i0 = 0; i0 < length; i0 += tile)
    for (size_t r0 = 0; r0 < runs.size(); r0 += tile) {
      const size_t i1 = std::min(length, i0 + tile), r1 = std::min(runs.size(), r0 + tile);
      size_t i = i0;
      if constexpr (sizeof(T) == 4 || sizeof(T) == 2)
        if (runs[r1 - 1].out - runs[r0].out == r1 - 1 - r0) {
          const size_t whole = r0 + (r1 - r0) / n * n;
          for (; i + n <= i1; i += n)
            for (size_t r = r0; r < whole; r += n)
              transpose_block<T>([&](size_t k) { return element(r + k, i); }, target(r, i), out_stride * sizeof(T),
                                 std::make_index_sequence<n>());
          one_by_one(whole, r1, i0, i);
        }
      one_by_one(r0, r1, i, i1);
    }
}

}  // namespace

void lay_out(uint64_t element_bytes, const RunBytes& from, const std::vector<Run>& runs, size_t length,
             uint64_t out_stride, std::byte* out) {
  if (element_bytes == 1) return lay_out_as<uint8_t>(from, runs, length, out_stride, out);
  if (element_bytes == 2) return lay_out_as<uint16_t>(from, runs, length, out_stride, out);
  if (element_bytes == 4) return lay_out_as<uint32_t>(from, runs, length, out_stride, out);
  lay_out_as<uint64_t>(from, runs, length, out_stride, out);
}

}  // namespace mo

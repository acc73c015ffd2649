// Elements that are neighbours in one order and far apart in another. Not for use outside core/base.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mo {

/// A line of the first cache: elements that share one are moved together.
inline constexpr size_t kLineBytes = 64;

/// Where the elements of a run are: element i is element (source - origin) * pitch + i of RunBytes::bytes, and element
/// out + i * out_stride of the result.
struct Run {
  uint64_t source, out;
};
struct RunBytes {
  const std::byte* bytes;
  uint64_t origin, pitch;
};

/// Writes the first `length` elements of each run to `out`. An element has 1, 2, 4 or 8 bytes.
void lay_out(uint64_t element_bytes, const RunBytes& from, const std::vector<Run>& runs, size_t length,
             uint64_t out_stride, std::byte* out);

}  // namespace mo

// Elements of any type in memory: to and from numbers, and from type to type. Not for use outside core/base.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/element_type.h"

namespace mo {

/// Elements [first, first + out.size()) of the array at `from`. Floating point truncates and saturates to integers; u64
/// keeps its bits.
void decode_integers(ElementType type, const std::byte* from, size_t first, std::span<int64_t> out);
void decode_doubles(ElementType type, const std::byte* from, size_t first, std::span<double> out);

/// Converts elements [first, first + n) of the array at `from` by the rules of mo::convert() and writes them to the
/// array `to`. The last byte of a packed array is filled up with zeros. The arrays do not overlap and need no
/// alignment.
void convert_elements(ElementType from_type, const std::byte* from, size_t first, ElementType to_type, std::byte* to,
                      size_t n);
/// The same from F32 or F64 to F16 by the rule of compress_to_f16().
void compress_elements(ElementType from_type, const std::byte* from, std::byte* to, size_t n);

}  // namespace mo

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/files.h"

namespace mo::tf {

/// CRC-32C (Castagnoli) of the bytes. `before` is that of the bytes in front of them.
uint32_t crc32c(std::span<const std::byte> bytes, uint32_t before = 0);
/// Of a range of a file, which is read piece by piece.
uint32_t crc32c(Files& files, FileId file, uint64_t offset, uint64_t size, uint32_t before = 0);
/// The form in which a checksum is stored beside its data.
uint32_t masked(uint32_t crc);
inline uint32_t masked_crc32c(std::span<const std::byte> bytes) { return masked(crc32c(bytes)); }

}  // namespace mo::tf

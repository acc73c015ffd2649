#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace mo::tf {

/// CRC-32C (Castagnoli) of the bytes.
uint32_t crc32c(std::span<const std::byte> bytes);
/// The form in which checksums are stored beside the data they are of.
uint32_t masked_crc32c(std::span<const std::byte> bytes);

}  // namespace mo::tf

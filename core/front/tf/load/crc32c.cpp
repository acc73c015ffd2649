#include "core/front/tf/load/crc32c.h"

#include <array>
#include <bit>

namespace mo::tf {
namespace {

constexpr auto kTable = [] {
  std::array<uint32_t, 256> table{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) rest = rest >> 1 ^ (rest & 1 ? 0x82f63b78u : 0);
    table[byte] = rest;
  }
  return table;
}();

}  // namespace

uint32_t crc32c(std::span<const std::byte> bytes) {
  uint32_t crc = ~0u;
  for (const std::byte byte : bytes) crc = crc >> 8 ^ kTable[(crc ^ std::to_integer<uint32_t>(byte)) & 0xff];
  return ~crc;
}

uint32_t masked_crc32c(std::span<const std::byte> bytes) { return std::rotr(crc32c(bytes), 15) + 0xa282ead8u; }

}  // namespace mo::tf

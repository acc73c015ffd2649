#include "core/front/tf/load/crc32c.h"

#include <algorithm>
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

uint32_t crc32c(std::span<const std::byte> bytes, uint32_t before) {
  uint32_t crc = ~before;
  for (const std::byte byte : bytes) crc = crc >> 8 ^ kTable[(crc ^ std::to_integer<uint32_t>(byte)) & 0xff];
  return ~crc;
}

uint32_t crc32c(Files& files, FileId file, uint64_t offset, uint64_t size, uint32_t before) {
  std::vector<std::byte> piece(static_cast<size_t>(std::min<uint64_t>(size, 1 << 20)));
  for (uint64_t done = 0; done < size; done += piece.size()) {
    piece.resize(static_cast<size_t>(std::min<uint64_t>(size - done, piece.size())));
    files.read(file, offset + done, piece);
    before = crc32c(piece, before);
  }
  return before;
}

uint32_t masked(uint32_t crc) { return std::rotr(crc, 15) + 0xa282ead8u; }

}  // namespace mo::tf

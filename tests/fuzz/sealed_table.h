// Puts the right checksums into a table: a fuzzer does not find them, and would not reach the code behind their checks.
#pragma once

#include <cstring>
#include <string>

#include "core/front/tf/load/crc32c.h"

namespace mo::fuzz {

inline uint64_t varint(std::string_view& text) {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && !text.empty(); shift += 7) {
    const auto byte = static_cast<uint8_t>(text.front());
    text.remove_prefix(1);
    value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) break;
  }
  return value;
}

/// Seals the block of a handle, and gives its content; empty if it lies outside the table.
inline std::string_view seal(std::string& table, std::string_view& handle) {
  const uint64_t offset = varint(handle), size = varint(handle);
  if (offset > table.size() || size > table.size() - offset || table.size() - offset - size < 5) return {};
  const auto start = static_cast<size_t>(offset), length = static_cast<size_t>(size);
  const uint32_t sum = tf::masked_crc32c(std::as_bytes(std::span(table)).subspan(start, length + 1));
  std::memcpy(table.data() + start + length + 1, &sum, sizeof sum);
  return std::string_view(table).substr(start, length);
}

/// The table with the right magic number, and the right checksums of its index and of the blocks in the index.
inline std::string sealed_table(std::string table) {
  constexpr size_t kFooter = 48;
  if (table.size() < kFooter) return table;
  std::memcpy(table.data() + table.size() - 8, "\x57\xfb\x80\x8b\x24\x75\x47\xdb", 8);
  const std::string footer = table.substr(table.size() - kFooter);
  std::string_view handles = footer;
  varint(handles), varint(handles);
  const std::string index(seal(table, handles));
  for (std::string_view rest = index; rest.size() > 8;) {
    varint(rest);  // how much the key shares with the key before
    const uint64_t own = varint(rest), value = varint(rest);
    if (own > rest.size() || value > rest.size() - own) break;
    std::string_view handle = rest.substr(static_cast<size_t>(own), static_cast<size_t>(value));
    rest.remove_prefix(static_cast<size_t>(own + value));
    seal(table, handle);
  }
  return table;
}

}  // namespace mo::fuzz

// Checkpoints for tests: a writer of the index and its shard.
#pragma once

#include <bit>

#include "core/front/tf/load/crc32c.h"
#include "tests/core/front/tf/graphs.h"

namespace mo::test {

inline std::string table_varint(uint64_t value) {
  std::string out;
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  return out + static_cast<char>(value);
}

inline std::string table_u32(uint32_t value) { return {reinterpret_cast<const char*>(&value), 4}; }

/// One block: entries that share their beginnings, and its trailer. `kind`: 1 says that it is compressed.
inline std::string table_block(const std::vector<std::pair<std::string, std::string>>& entries, char kind = 0) {
  std::string out, before;
  for (const auto& [key, value] : entries) {
    size_t shared = 0;
    while (shared < key.size() && shared < before.size() && key[shared] == before[shared]) ++shared;
    out += table_varint(shared) + table_varint(key.size() - shared) + table_varint(value.size()) + key.substr(shared) +
           value;
    before = key;
  }
  out += table_u32(0) + table_u32(1) + kind;
  return out + table_u32(tf::masked_crc32c(std::as_bytes(std::span(out))));
}

/// A table of sorted entries: one block, and an index of it.
inline std::string table_file(const std::vector<std::pair<std::string, std::string>>& entries, char kind = 0) {
  const auto handle = [](size_t offset, const std::string& block) {
    return table_varint(offset) + table_varint(block.size() - 5);
  };
  const std::string data = table_block(entries, kind), none = table_block({});
  const std::string index = table_block({{entries.back().first, handle(0, data)}});
  std::string footer = handle(data.size(), none) + handle(data.size() + none.size(), index);
  footer.resize(40, '\0');
  return data + none + index + footer + "\x57\xfb\x80\x8b\x24\x75\x47\xdb";
}

inline std::string bundle_header(int64_t shards = 1) { return WireMessage().number(1, shards).text(); }

/// The entry of a float tensor.
inline std::string bundle_entry(const Shape& shape, int64_t offset, int64_t size) {
  WireMessage dims;
  for (const int64_t d : shape) dims.bytes(2, WireMessage().number(1, d).text());
  return WireMessage().number(1, 1).bytes(2, dims.text()).number(4, offset).number(5, size).text();
}

}  // namespace mo::test

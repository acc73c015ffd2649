#include "core/front/tf/load/sstable.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/base/error.h"
#include "core/front/tf/load/crc32c.h"

namespace mo::tf {
namespace {

constexpr uint64_t kFooter = 48, kTrailer = 5, kLargestBlock = 64 << 20;

uint32_t u32(std::string_view bytes, size_t at) {
  uint32_t value;
  std::memcpy(&value, bytes.data() + at, sizeof value);  // all hosts are little-endian
  return value;
}

}  // namespace

void SsTable::fail(Code code, uint64_t offset, const Detail& what) const {
  throw Error(code, what, files_.place(file_, offset));
}

SsTable::SsTable(Files& files, FileId file) : files_(files), file_(file) {
  const uint64_t size = files.source(file).size();
  if (size < kFooter) fail(Code::TruncatedFile, size, "an index of variables needs 48 bytes");
  std::string footer(kFooter, '\0');
  files.read(file, size - kFooter, std::as_writable_bytes(std::span(footer)));
  if (!footer.ends_with(kMagic)) fail(Code::CorruptFile, size - kMagic.size(), "no index of variables");
  size_t at = 0;
  handle(footer, at, size - kFooter);  // the metaindex block, which is not read
  index_ = block(handle(footer, at, size - kFooter));
}

std::optional<WireField> SsTable::find(std::string_view key) {
  const auto by_key = [](const Entry& entry, std::string_view wanted) { return entry.key < wanted; };
  const auto block_of = std::lower_bound(index_.begin(), index_.end(), key, by_key);
  if (block_of == index_.end()) return std::nullopt;
  const auto number = static_cast<size_t>(block_of - index_.begin());
  if (number != open_) {
    size_t at = 0;
    entries_ = block(handle(block_of->value, at, block_of->offset));
    open_ = number;
  }
  const auto entry = std::lower_bound(entries_.begin(), entries_.end(), key, by_key);
  if (entry == entries_.end() || entry->key != key) return std::nullopt;
  WireField place;
  place.type = WireField::Bytes;
  place.offset = entry->offset, place.size = entry->value.size();
  return place;
}

/// Keys share their beginning with the key before.
std::vector<SsTable::Entry> SsTable::block(Handle place) const {
  const uint64_t size = files_.source(file_).size();
  if (place.size > kLargestBlock || place.offset > size || place.size + kTrailer > size - place.offset)
    fail(Code::CorruptFile, place.offset, "a block lies outside the file");
  std::string bytes(static_cast<size_t>(place.size + kTrailer), '\0');
  files_.read(file_, place.offset, std::as_writable_bytes(std::span(bytes)));
  const auto length = static_cast<size_t>(place.size);
  if (masked_crc32c(std::as_bytes(std::span(bytes)).first(length + 1)) != u32(bytes, length + 1))
    fail(Code::BadChecksum, place.offset, "a block of the index of variables");
  if (bytes[length] != 0) fail(Code::UnsupportedForm, place.offset + length, "a compressed index of variables");
  const uint64_t restarts = length < 4 ? UINT64_MAX : u32(bytes, length - 4);
  if (restarts > (length - 4) / 4) fail(Code::CorruptFile, place.offset, "a block without an end");
  const std::string_view text(bytes.data(), length - 4 - 4 * static_cast<size_t>(restarts));
  std::vector<Entry> entries;
  for (size_t at = 0; at < text.size();) {
    const size_t start = at;
    const uint64_t shared = varint(text, at, place.offset), own = varint(text, at, place.offset),
                   value = varint(text, at, place.offset);
    const std::string_view before = entries.empty() ? std::string_view() : entries.back().key;
    if (shared > before.size() || own > text.size() - at || value > text.size() - at - own)
      fail(Code::CorruptFile, place.offset + start, "an entry of the index passes its end");
    std::string key(before.substr(0, static_cast<size_t>(shared)));
    key += text.substr(at, static_cast<size_t>(own));
    at += static_cast<size_t>(own);
    entries.push_back({std::move(key), std::string(text.substr(at, static_cast<size_t>(value))), place.offset + at});
    at += static_cast<size_t>(value);
    if (entries.size() > 1 && entries[entries.size() - 2].key >= entries.back().key)
      fail(Code::CorruptFile, place.offset + start, "keys of the index are not in order");
  }
  return entries;
}

SsTable::Handle SsTable::handle(std::string_view text, size_t& at, uint64_t offset) const {
  Handle out;
  out.offset = varint(text, at, offset);
  out.size = varint(text, at, offset);
  return out;
}

uint64_t SsTable::varint(std::string_view text, size_t& at, uint64_t offset) const {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (at >= text.size()) break;
    const auto byte = static_cast<uint8_t>(text[at++]);
    value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  fail(Code::CorruptFile, offset + at, "a number of the index passes its end");
}

}  // namespace mo::tf

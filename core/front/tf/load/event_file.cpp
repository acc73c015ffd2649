#include "core/front/tf/load/event_file.h"

#include <cstring>
#include <string>

#include "core/front/tf/load/crc32c.h"

namespace mo::tf {
namespace {

// An Event: file_version (3) or graph_def (4).
constexpr std::string_view kVersion =
                               "\x1a\x0d"
                               "brain.Event:2",
                           kGraph = "\x22";

template <typename T>
void append(std::string& out, T number) {
  out.append(reinterpret_cast<const char*>(&number), sizeof number);  // all hosts are little-endian
}

/// A record begins with the length of its data and a checksum of that length.
void append_length(std::string& out, uint64_t size) {
  append(out, size);
  append(out, masked_crc32c(std::as_bytes(std::span(&size, 1))));
}

Segment segment_of(const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {.kind = Segment::Kind::Bytes, .size = text.size(), .bytes = {bytes.begin(), bytes.end()}};
}

}  // namespace

std::vector<Segment> event_file(Files& files, FileId file, uint64_t offset, uint64_t size) {
  std::string before, field(kGraph), after;
  append_length(before, kVersion.size());
  before += kVersion;
  append(before, masked_crc32c(std::as_bytes(std::span(kVersion))));
  uint64_t rest = size;
  for (; rest >= 0x80; rest >>= 7) field += static_cast<char>(rest | 0x80);
  field += static_cast<char>(rest);
  append_length(before, field.size() + size);
  before += field;
  append(after, masked(crc32c(files, file, offset, size, crc32c(std::as_bytes(std::span(field))))));
  return {segment_of(before),
          {.kind = Segment::Kind::File, .size = size, .file = file, .offset = offset},
          segment_of(after)};
}

}  // namespace mo::tf

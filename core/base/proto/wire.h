// A walk over the protobuf wire format with 64-bit offsets: field by field; payloads are places.
#pragma once

#include <string>
#include <vector>

#include "core/base/window.h"

namespace mo {

/// One field of a message. [offset, offset + size) is its payload; `value` is the number if it is one.
struct WireField {
  enum Type : uint8_t { Varint = 0, Fixed64 = 1, Bytes = 2, Group = 3, Fixed32 = 5 };
  uint32_t number = 0;
  Type type = Varint;
  uint64_t value = 0;
  uint64_t offset = 0, size = 0;
  uint64_t start = 0;  ///< of the field's tag
  uint64_t end() const { return offset + size; }
  bool is_bytes() const { return type == Bytes; }
};

/// The fields of the message at [begin, end) of a file, in file order.
class WireReader {
 public:
  /// Nesting of groups.
  static constexpr size_t kMaxGroups = 100;

  WireReader(Window& window, uint64_t begin, uint64_t end) : window_(window), at_(begin), end_(end) {}
  /// Reads the message that is the payload of `field`.
  WireReader(Window& window, const WireField& field) : WireReader(window, field.offset, field.end()) {}

  /// False at the end. Steps over payloads; the fields of a group count as its payload. Throws TruncatedFile when a
  /// payload passes the end of the file, CorruptFile when it passes the end of the message or a tag is malformed,
  /// TooDeep beyond kMaxGroups.
  bool next(WireField& field);

 private:
  uint64_t varint();
  uint32_t tag(WireField& field);
  void payload(WireField& field);
  void group(WireField& field);
  [[noreturn]] void corrupt(uint64_t offset, const Detail& what) const;

  Window& window_;
  uint64_t at_, end_;
};

/// The payload as text. Throws CorruptFile when it is longer than `limit` bytes.
std::string wire_text(Window& window, const WireField& field, uint64_t limit = 1 << 16);
/// Appends the integers of a repeated field, packed or not. Throws BadAttribute when `out` grows beyond `limit`,
/// CorruptFile when a packed integer passes the end.
void wire_ints(Window& window, const WireField& field, std::vector<int64_t>& out, size_t limit = 4 << 20);
/// Likewise for floats (Fixed32).
void wire_floats(Window& window, const WireField& field, std::vector<double>& out, size_t limit = 4 << 20);

}  // namespace mo

// A walk over the protobuf wire format with 64-bit offsets: fields one by one, payloads as places.
#pragma once

#include <string>
#include <vector>

#include "core/base/window.h"

namespace mo {

/// One field of a message: [offset, offset + size) is its payload; of numbers `value` is what stands there.
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
  /// Groups in each other.
  static constexpr size_t kMaxGroups = 100;

  WireReader(Window& window, uint64_t begin, uint64_t end) : window_(window), at_(begin), end_(end) {}
  /// Reads the message that is the payload of `field`.
  WireReader(Window& window, const WireField& field) : WireReader(window, field.offset, field.end()) {}

  /// False at the end. Steps over payloads; those of a group are its fields. Throws TruncatedFile when a payload passes
  /// the end of the file, CorruptFile when it passes the message's or a tag is malformed, TooDeep beyond kMaxGroups.
  bool next(WireField& field);

 private:
  uint64_t varint();
  uint32_t tag(WireField& field);
  void payload(WireField& field);
  void group(WireField& field);
  [[noreturn]] void corrupt(uint64_t offset, const char* what) const;

  Window& window_;
  uint64_t at_, end_;
};

/// The payload as text. Throws CorruptFile when it is longer than `limit` bytes.
std::string wire_text(Window& window, const WireField& field, uint64_t limit = 1 << 16);
/// Appends the integers of a repeated field, packed or not. Throws BadAttribute when more than `limit` come together,
/// CorruptFile when one of the packed ones passes the end.
void wire_ints(Window& window, const WireField& field, std::vector<int64_t>& out, size_t limit = 4 << 20);
/// Likewise for floats (Fixed32).
void wire_floats(Window& window, const WireField& field, std::vector<double>& out, size_t limit = 4 << 20);

}  // namespace mo

// The beginning of a protobuf message, for recognising formats. Payloads may be incomplete.
#pragma once

#include <cstdint>
#include <string_view>

namespace mo {

struct HeadField {
  uint32_t number = 0;
  bool is_bytes = false;     ///< wire type 2
  bool is_number = false;    ///< wire type 0
  std::string_view payload;  ///< the bytes as far as they are available
};

/// The fields of the message that begins with `head`, in order.
class MessageHead {
 public:
  explicit MessageHead(std::string_view head) : rest_(head) {}
  /// False at the end of the head, and at invalid data.
  bool next(HeadField& field);

 private:
  bool varint(uint64_t& value);

  std::string_view rest_;
};

/// The first field of a message; its number is 0 if there is none.
HeadField first_field(std::string_view head);

}  // namespace mo

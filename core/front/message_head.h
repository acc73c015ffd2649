// The beginning of a protobuf message, for telling formats apart: payloads are cut where it ends.
#pragma once

#include <cstdint>
#include <string_view>

namespace mo {

struct HeadField {
  uint32_t number = 0;
  bool is_bytes = false;     ///< wire type 2
  bool is_number = false;    ///< wire type 0
  std::string_view payload;  ///< of bytes, as far as it is there
};

/// The fields of the message that begins with `head`, in order.
class MessageHead {
 public:
  explicit MessageHead(std::string_view head) : rest_(head) {}
  /// False where the head ends, and at what is no field.
  bool next(HeadField& field);

 private:
  bool varint(uint64_t& value);

  std::string_view rest_;
};

/// The first field of a message; one with the number 0 when there is none.
HeadField first_field(std::string_view head);

}  // namespace mo

#include "core/front/message_head.h"

#include <algorithm>

namespace mo {

bool MessageHead::varint(uint64_t& value) {
  value = 0;
  for (int shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    value |= uint64_t{byte & 127u} << shift;
    if (byte < 128) return true;
  }
  return false;
}

bool MessageHead::next(HeadField& field) {
  uint64_t tag = 0, value = 0;
  if (!varint(tag) || tag >> 3 == 0 || tag >> 32 != 0) return false;
  const uint64_t type = tag & 7;
  if (type == 0 || type == 2) {
    if (!varint(value)) return false;
  } else if (type == 1 || type == 5) {
    value = type == 1 ? 8 : 4;
  } else {
    return false;
  }
  field = {static_cast<uint32_t>(tag >> 3), type == 2, type == 0, {}};
  if (type == 0) return true;
  const auto size = static_cast<size_t>(std::min<uint64_t>(value, rest_.size()));
  field.payload = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return true;
}

HeadField first_field(std::string_view head) {
  HeadField field;
  return MessageHead(head).next(field) ? field : HeadField();
}

}  // namespace mo

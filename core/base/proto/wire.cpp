#include "core/base/proto/wire.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/base/error.h"

namespace mo {
namespace {

uint64_t little_endian(Window& window, uint64_t offset, size_t bytes) {
  const auto view = window.view(offset, bytes);
  uint64_t value = 0;
  for (size_t i = 0; i < bytes; ++i) value |= static_cast<uint64_t>(view[i]) << (8 * i);
  return value;
}

}  // namespace

void WireReader::corrupt(uint64_t offset, const Detail& what) const {
  throw Error(Code::CorruptFile, what, window_.place(offset));
}

uint64_t WireReader::varint() {
  uint64_t value = 0;
  for (int shift = 0; shift < 70; shift += 7) {
    if (at_ >= end_) corrupt(at_, "a number passes the end of its message");
    const uint8_t byte = window_.byte(at_++);
    if (shift < 64) value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (!(byte & 0x80)) return value;
  }
  corrupt(at_, "a number is too long");
}

uint32_t WireReader::tag(WireField& field) {
  field.start = at_;
  const uint64_t tag = varint();
  if (tag >> 3 == 0 || tag >> 3 >= (1u << 29)) corrupt(field.start, "a field has no number");
  field.number = static_cast<uint32_t>(tag >> 3);
  field.type = static_cast<WireField::Type>(tag & 7);
  field.size = 0;
  return static_cast<uint32_t>(tag & 7);
}

bool WireReader::next(WireField& field) {
  if (at_ >= end_) return false;
  if (tag(field) == WireField::Group)
    group(field);
  else
    payload(field);
  return true;
}

void WireReader::payload(WireField& field) {
  switch (field.type) {
    case WireField::Varint:
      field.offset = at_;
      field.value = varint();
      field.size = at_ - field.offset;
      return;
    case WireField::Fixed64:
    case WireField::Fixed32: {
      const size_t bytes = field.type == WireField::Fixed64 ? 8 : 4;
      if (end_ - at_ < bytes) corrupt(at_, "a number passes the end of its message");
      field.offset = at_;
      field.size = bytes;
      field.value = little_endian(window_, at_, bytes);
      at_ += bytes;
      return;
    }
    case WireField::Bytes:
      field.size = varint();
      field.offset = at_;
      if (field.size > end_ - at_) {
        if (field.size > window_.size() || at_ > window_.size() - field.size)
          throw Error(Code::TruncatedFile, msg("the field at byte ", field.start, " needs ", field.size, " bytes"),
                      window_.place(field.start));
        corrupt(field.start, "a field passes the end of its message");
      }
      at_ += field.size;
      return;
    default: corrupt(field.start, "a field has an unknown wire type");
  }
}

void WireReader::group(WireField& field) {
  constexpr uint32_t kEndOfGroup = 4;
  field.offset = at_;
  std::vector<uint32_t> open{field.number};
  for (WireField inner; !open.empty();) {
    if (at_ >= end_) corrupt(field.start, "a group has no end");
    const uint32_t type = tag(inner);
    if (type == WireField::Group) {
      if (open.size() >= kMaxGroups)
        throw Error(Code::TooDeep, msg("more than ", kMaxGroups, " groups in each other"), window_.place(inner.start));
      open.push_back(inner.number);
    } else if (type == kEndOfGroup) {
      if (inner.number != open.back()) corrupt(inner.start, "a group ends that has not begun");
      open.pop_back();
      field.size = inner.start - field.offset;
    } else {
      payload(inner);
    }
  }
}

std::string wire_text(Window& window, const WireField& field, uint64_t limit) {
  if (!field.is_bytes() || field.size > limit)
    throw Error(Code::CorruptFile, "a text is too long or not a text", window.place(field.start));
  if (field.size <= Window::kMaxView) {
    const auto view = window.view(field.offset, static_cast<size_t>(field.size));
    return std::string(reinterpret_cast<const char*>(view.data()), view.size());
  }
  std::string text;
  text.reserve(field.size);
  for (uint64_t done = 0; done < field.size;) {
    const auto view =
        window.view(field.offset + done, static_cast<size_t>(std::min<uint64_t>(field.size - done, Window::kMaxView)));
    text.append(reinterpret_cast<const char*>(view.data()), view.size());
    done += view.size();
  }
  return text;
}

void wire_ints(Window& window, const WireField& field, std::vector<int64_t>& out, size_t limit) {
  if (!field.is_bytes()) {
    out.push_back(static_cast<int64_t>(field.value));
  } else {
    uint64_t value = 0;
    int shift = 0;
    for (uint64_t at = field.offset; at < field.end(); ++at) {
      const uint8_t byte = window.byte(at);
      if (shift < 64) value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      shift += 7;
      if (byte & 0x80) {
        if (shift < 70 && at + 1 < field.end()) continue;
        throw Error(Code::CorruptFile, "a number of a list is too long or cut off", window.place(at));
      }
      out.push_back(static_cast<int64_t>(value));
      value = 0, shift = 0;
      if (out.size() > limit) break;
    }
  }
  if (out.size() > limit) throw Error(Code::BadAttribute, msg("a list of more than ", limit, " numbers"));
}

void wire_floats(Window& window, const WireField& field, std::vector<double>& out, size_t limit) {
  const auto add = [&](uint64_t bits) { out.push_back(std::bit_cast<float>(static_cast<uint32_t>(bits))); };
  if (!field.is_bytes()) {
    add(field.value);
  } else {
    if (field.size / 4 > limit) throw Error(Code::BadAttribute, msg("a list of more than ", limit, " numbers"));
    for (uint64_t at = field.offset; at + 4 <= field.end(); at += 4) add(little_endian(window, at, 4));
  }
  if (out.size() > limit) throw Error(Code::BadAttribute, msg("a list of more than ", limit, " numbers"));
}

}  // namespace mo

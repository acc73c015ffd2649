#include "core/front/tf/load/tensor_slice.h"

#include <algorithm>
#include <map>

namespace mo::tf {
namespace {

/// A number as it is written in keys: the first byte says how many follow, so that keys sort like the numbers.
void append_ordered(std::string& key, int64_t value) {
  if (value >= -64 && value < 64) {
    key += static_cast<char>(static_cast<uint8_t>(value) ^ 0x80);
    return;
  }
  // n bytes hold 7 n - 1 bits and the sign. The n highest bits give n in unary.
  const uint64_t bits = static_cast<uint64_t>(value < 0 ? ~value : value);
  size_t n = 2;
  while (n < 10 && bits >> std::min<size_t>(7 * n - 1, 63)) ++n;
  std::string bytes(n, value < 0 ? '\xff' : '\0');
  for (size_t i = 0; i < n && i < 8; ++i) bytes[n - 1 - i] = static_cast<char>(static_cast<uint64_t>(value) >> (8 * i));
  bytes[0] = static_cast<char>(static_cast<uint8_t>(bytes[0]) ^ (n >= 8 ? 0xff : 0xff << (8 - n) & 0xff));
  if (n > 8) bytes[1] = static_cast<char>(static_cast<uint8_t>(bytes[1]) ^ (0xff << (16 - n) & 0xff));
  key += bytes;
}

struct Box {
  std::vector<int64_t> start;
  Constant value;
};

/// Joins boxes that fill a part of the tensor. The part is cut across dimension `axis` first, and each piece across the
/// following ones. Before `axis`, all boxes have the same start and length.
Constant join_boxes(const Shape& shape, std::vector<Box> boxes, size_t axis) {
  if (axis == shape.size()) {
    if (boxes.size() != 1) throw Error(Code::CorruptFile, "slices overlap");
    return boxes[0].value;
  }
  std::map<int64_t, std::vector<Box>> pieces;
  for (Box& box : boxes) pieces[box.start[axis]].push_back(std::move(box));
  std::vector<Constant> values;
  int64_t end = 0;
  for (auto& [start, piece] : pieces) {
    const int64_t length = piece[0].value.shape[axis];
    const bool is_even =
        std::all_of(piece.begin(), piece.end(), [&](const Box& box) { return box.value.shape[axis] == length; });
    if (!is_even) throw Error(Code::UnsupportedForm, "a variable whose slices are no rows of a grid");
    if (start != end) throw Error(Code::CorruptFile, "the slices are not the whole variable");
    end += length;
    values.push_back(join_boxes(shape, std::move(piece), axis + 1));
  }
  if (end != shape[axis]) throw Error(Code::CorruptFile, "the slices are not the whole variable");
  return values.size() == 1 ? values[0] : concat(values, axis);
}

}  // namespace

std::string slice_key(const std::string& name, const proto::Message& slice) {
  const std::vector<proto::Message> extents = slice.messages("extent");
  std::string key(1, '\0');
  for (const char c : name) {
    key += c;
    if (c == '\0') key += '\xff';
    if (c == '\xff') key += '\0';
  }
  key += std::string("\0\1", 2);
  const auto rank = extents.size();
  if (rank)
    key += std::string{'\1', static_cast<char>(rank)};
  else
    key += '\0';
  for (const proto::Message& extent : extents) {
    append_ordered(key, extent.get_int("start"));
    append_ordered(key, extent.has("length") ? extent.get_int("length") : -1);
  }
  return key;
}

Shape slice_shape(const Shape& whole, const proto::Message& slice) {
  const std::vector<proto::Message> extents = slice.messages("extent");
  if (extents.size() != whole.size()) throw Error(Code::CorruptFile, "a slice of another rank");
  Shape out = whole;
  for (size_t i = 0; i < whole.size(); ++i) {
    if (!extents[i].has("length")) continue;
    const int64_t start = extents[i].get_int("start"), length = extents[i].get_int("length");
    if (start < 0 || length < 0 || length > whole[i] || start > whole[i] - length)
      throw Error(Code::CorruptFile, "a slice lies outside its variable");
    out[i] = length;
  }
  return out;
}

Constant join_slices(const Shape& shape, const std::vector<SlicePart>& parts) {
  std::vector<Box> boxes;
  for (const SlicePart& part : parts) {
    if (part.value.shape != slice_shape(shape, part.slice)) throw Error(Code::CorruptFile, "a slice has another shape");
    Box box{{}, part.value};
    for (const proto::Message& extent : part.slice.messages("extent"))
      box.start.push_back(extent.has("length") ? extent.get_int("start") : 0);
    boxes.push_back(std::move(box));
  }
  if (boxes.empty()) throw Error(Code::CorruptFile, "a variable without slices");
  return join_boxes(shape, std::move(boxes), 0);
}

}  // namespace mo::tf

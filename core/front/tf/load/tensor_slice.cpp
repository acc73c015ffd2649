#include "core/front/tf/load/tensor_slice.h"

#include <algorithm>

namespace mo::tf {
namespace {

/// A number as it is written in keys: the first byte says how many follow, so that keys sort like the numbers.
void append_ordered(std::string& key, int64_t value) {
  if (value >= -64 && value < 64) {
    key += static_cast<char>(static_cast<uint8_t>(value) ^ 0x80);
    return;
  }
  // n bytes hold 7 n - 1 bits and the sign; the n highest bits of the first ones are their number in unary.
  const uint64_t bits = static_cast<uint64_t>(value < 0 ? ~value : value);
  size_t n = 2;
  while (n < 10 && bits >> std::min<size_t>(7 * n - 1, 63)) ++n;
  std::string bytes(n, value < 0 ? '\xff' : '\0');
  for (size_t i = 0; i < n && i < 8; ++i) bytes[n - 1 - i] = static_cast<char>(static_cast<uint64_t>(value) >> (8 * i));
  bytes[0] = static_cast<char>(static_cast<uint8_t>(bytes[0]) ^ (n >= 8 ? 0xff : 0xff << (8 - n) & 0xff));
  if (n > 8) bytes[1] = static_cast<char>(static_cast<uint8_t>(bytes[1]) ^ (0xff << (16 - n) & 0xff));
  key += bytes;
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
  size_t axis = 0;
  std::vector<std::pair<int64_t, Constant>> sorted;
  for (const SlicePart& part : parts) {
    const Shape own = slice_shape(shape, part.slice);
    if (part.value.shape != own) throw Error(Code::CorruptFile, "a slice has another shape");
    const auto cut = std::mismatch(own.begin(), own.end(), shape.begin()).first;
    if (cut != own.end()) axis = static_cast<size_t>(cut - own.begin());
    sorted.emplace_back(cut == own.end() ? 0 : part.slice.messages("extent")[axis].get_int("start"), part.value);
  }
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Constant> values;
  int64_t end = 0;
  for (const auto& [start, value] : sorted) {
    Shape rest = value.shape;
    if (axis < rest.size()) rest[axis] = shape[axis];
    if (start != end || rest != shape)
      throw Error(Code::UnsupportedForm, "a variable that is cut along several dimensions");
    end += shape.empty() ? 0 : value.shape[axis];
    values.push_back(value);
  }
  if (values.empty()) throw Error(Code::CorruptFile, "a variable without slices");
  Constant out = values.size() == 1 ? values[0] : concat(values, axis);
  if (out.shape != shape) throw Error(Code::CorruptFile, "the slices are not the whole variable");
  return out;
}

}  // namespace mo::tf

#include "core/front/tf/load/tensor_bundle.h"

#include <algorithm>

#include "core/base/proto/wire_message.h"
#include "core/front/tf/load/tensor_proto.h"
#include "tensorflow_messages.h"

namespace mo::tf {
namespace {

constexpr size_t kMostSlices = 4096;

std::string padded(int64_t number) {
  const std::string digits = std::to_string(number);
  return std::string(digits.size() < 5 ? 5 - digits.size() : 0, '0') + digits;
}

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

/// The key of a slice: an empty name's place, the variable's name, its rank, start and length along each dimension.
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

}  // namespace

TensorBundle::TensorBundle(Files& files, std::string prefix, bool given)
    : files_(files), prefix_(std::move(prefix)), given_(given), index_(files, open(prefix_ + ".index")) {
  const auto header = index_.find("");
  if (!header) throw Error(Code::CorruptFile, "no header", {.file = files_.name(index_.file())});
  const proto::Message message = this->message("BundleHeaderProto", *header);
  if (message.get_int("endianness") != pb::BundleHeaderProto_Endianness::LITTLE)
    throw Error(Code::UnsupportedForm, "a checkpoint of a big-endian machine", {.file = files_.name(index_.file())});
  shards_ = message.get_int("num_shards");
}

FileId TensorBundle::open(const std::string& name) { return given_ ? files_.open_given(name) : files_.open(name); }

proto::Message TensorBundle::message(const char* type, const WireField& place) {
  return proto::read_wire(files_, index_.file(), pb::kSchema, pb::kSchema.message(type), place);
}

std::optional<Constant> TensorBundle::find(const std::string& key) {
  const auto place = index_.find(key);
  if (!place) return std::nullopt;
  const proto::Message entry = message("BundleEntryProto", *place);
  try {
    return entry.has("slices") ? joined(key, entry) : whole(entry);
  } catch (Error& error) {
    if (error.place().file.empty()) error.place().file = files_.name(index_.file());
    if (error.place().tensor.empty()) error.place().tensor = key;
    throw;
  }
}

Constant TensorBundle::whole(const proto::Message& entry) {
  const int64_t data_type = entry.get_int("dtype"), shard = entry.get_int("shard_id");
  const auto type = element_type(data_type);
  if (!type || *type == ElementType::String)
    throw Error(Code::UnsupportedType, type ? std::string("string") : type_name(data_type));
  const PartialShape shape = read_shape(entry.get_message("shape"));
  if (!shape.is_static() || shard < 0 || shard >= shards_) throw Error(Code::CorruptFile, "a malformed entry");
  const uint64_t size = byte_size(*type, element_count(shape.to_shape()));
  const auto offset = static_cast<uint64_t>(entry.get_int("offset")),
             length = static_cast<uint64_t>(entry.get_int("size"));
  if (length != size) throw Error(Code::WrongTensorSize, cat(length, " bytes, want ", size));
  const FileId file = open(cat(prefix_, ".data-", padded(shard), "-of-", padded(shards_)));
  const uint64_t available = files_.source(file).size();
  if (offset > available || size > available - offset)
    throw Error(Code::DataOutOfRange, cat("bytes ", offset, " to ", offset + size, " of ", available),
                {.file = files_.name(file), .offset = static_cast<int64_t>(offset)});
  return {*type, shape.to_shape(), std::make_shared<SliceContent>(file, offset, size)};
}

/// Partitioned variables are cut along one dimension.
Constant TensorBundle::joined(const std::string& key, const proto::Message& entry) {
  const PartialShape partial = read_shape(entry.get_message("shape"));
  if (!partial.is_static()) throw Error(Code::CorruptFile, "a malformed entry");
  const Shape shape = partial.to_shape();
  std::vector<std::pair<int64_t, Constant>> parts;
  size_t axis = 0;
  for (const proto::Message& slice : entry.messages("slices")) {
    if (parts.size() == kMostSlices) throw Error(Code::TooDeep, cat("more than ", kMostSlices, " slices"));
    const std::vector<proto::Message> extents = slice.messages("extent");
    if (extents.size() != shape.size()) throw Error(Code::CorruptFile, "a slice of another rank");
    int64_t start = 0;
    for (size_t i = 0; i < extents.size(); ++i)
      if (extents[i].has("length") && extents[i].get_int("length") != shape[i])
        axis = i, start = extents[i].get_int("start");
    const auto place = index_.find(slice_key(key, slice));
    if (!place) throw Error(Code::CorruptFile, "a slice is missing");
    parts.emplace_back(start, whole(message("BundleEntryProto", *place)));
  }
  std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Constant> sources;
  int64_t end = 0;
  for (const auto& [start, part] : parts) {
    if (part.shape.size() != shape.size() || start != end)
      throw Error(Code::UnsupportedForm, "a variable that is cut along several dimensions");
    end += shape.empty() ? 0 : part.shape[axis];
    sources.push_back(part);
  }
  Constant out = sources.size() == 1 ? sources[0] : concat(sources, axis);
  if (out.shape != shape) throw Error(Code::CorruptFile, "the slices are not the whole variable");
  return out;
}

}  // namespace mo::tf

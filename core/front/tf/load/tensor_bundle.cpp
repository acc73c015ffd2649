#include "core/front/tf/load/tensor_bundle.h"

#include "core/base/proto/wire_message.h"
#include "core/front/tf/load/checkpoint_files.h"
#include "core/front/tf/load/crc32c.h"
#include "core/front/tf/load/tensor_proto.h"
#include "core/front/tf/load/tensor_slice.h"
#include "tensorflow_messages.h"

namespace mo::tf {
namespace {

constexpr size_t kMostSlices = 4096;

}  // namespace

TensorBundle::TensorBundle(Files& files, std::string prefix, bool given, bool verify)
    : files_(files),
      prefix_(std::move(prefix)),
      given_(given),
      verify_(verify),
      index_(files, open(prefix_ + ".index")) {
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
  const auto where = [&] { return Place{.tensor = key, .file = files_.name(index_.file())}; };
  return with_place(where, [&] { return entry.has("slices") ? joined(key, entry) : whole(entry); });
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
  if (length != size) throw Error(Code::WrongTensorSize, msg(length, " bytes, want ", size));
  const FileId file = open(cat(prefix_, ".data-", shard_ending(shard, shards_)));
  const uint64_t available = files_.source(file).size();
  const Place place{.file = files_.name(file), .offset = static_cast<int64_t>(offset)};
  if (offset > available || size > available - offset)
    throw Error(Code::DataOutOfRange, msg("bytes ", offset, " to ", offset + size, " of ", available), place);
  if (verify_ && static_cast<uint32_t>(entry.get_int("crc32c")) != masked(crc32c(files_, file, offset, size)))
    throw Error(Code::BadChecksum, msg(size, " bytes"), place);
  return {*type, shape.to_shape(), std::make_shared<SliceContent>(file, offset, size)};
}

Constant TensorBundle::joined(const std::string& key, const proto::Message& entry) {
  const PartialShape shape = read_shape(entry.get_message("shape"));
  if (!shape.is_static()) throw Error(Code::CorruptFile, "a malformed entry");
  std::vector<SlicePart> parts;
  for (const proto::Message& slice : entry.messages("slices")) {
    if (parts.size() == kMostSlices) throw Error(Code::TooDeep, msg("more than ", kMostSlices, " slices"));
    const auto place = index_.find(slice_key(key, slice));
    if (!place) throw Error(Code::CorruptFile, "a slice is missing");
    parts.push_back({slice, whole(message("BundleEntryProto", *place))});
  }
  return join_slices(shape.to_shape(), parts);
}

}  // namespace mo::tf

#include "core/front/tf/load/saved_tensors.h"

#include "core/base/proto/wire_message.h"
#include "core/front/tf/load/tensor_proto.h"
#include "core/front/tf/load/tensor_slice.h"
#include "tensorflow_messages.h"

namespace mo::tf {
namespace {

proto::Message read_slices(Files& files, FileId file, const WireField& place) {
  return proto::read_wire(files, file, pb::kSchema, pb::kSchema.message("SavedTensorSlices"), place);
}

WireField meta_place(Files& files, SsTable& table) {
  const auto place = table.find("");
  if (!place) throw Error(Code::CorruptFile, "no list of variables", {.file = files.name(table.file())});
  return *place;
}

}  // namespace

SavedTensors::SavedTensors(Files& files, FileId file) : files_(files), table_(files, file) {
  const proto::Message meta = read_slices(files, file, meta_place(files, table_)).get_message("meta");
  for (const proto::Message& tensor : meta.messages("tensor")) tensors_.emplace(tensor.get_string("name"), tensor);
}

std::optional<Constant> SavedTensors::find(const std::string& key) {
  const auto found = tensors_.find(key);
  if (found == tensors_.end()) return std::nullopt;
  try {
    return joined(key, found->second);
  } catch (Error& error) {
    if (error.place().file.empty()) error.place().file = files_.name(table_.file());
    if (error.place().tensor.empty()) error.place().tensor = key;
    throw;
  }
}

Constant SavedTensors::joined(const std::string& key, const proto::Message& tensor) {
  const PartialShape shape = read_shape(tensor.get_message("shape"));
  if (!shape.is_static()) throw Error(Code::CorruptFile, "a malformed entry");
  std::vector<SlicePart> parts;
  for (const proto::Message& slice : tensor.messages("slice")) {
    const auto place = table_.find(slice_key(key, slice));
    if (!place) throw Error(Code::CorruptFile, "a slice is missing");
    const proto::Message values = read_slices(files_, table_.file(), *place).get_message("data").get_message("data");
    const Shape own = slice_shape(shape.to_shape(), slice);
    parts.push_back({slice, read_values({files_, table_.file(), false}, values, tensor.get_int("type"), own)});
  }
  return join_slices(shape.to_shape(), parts);
}

}  // namespace mo::tf

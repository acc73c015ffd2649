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

SavedTensors::SavedTensors(Files& files, FileId file)
    : files_(files),
      table_(files, file),
      meta_(read_slices(files, file, meta_place(files, table_)).get_message("meta")) {}

std::optional<Constant> SavedTensors::find(const std::string& key) {
  for (const proto::Message& tensor : meta_.messages("tensor")) {
    if (tensor.get_string("name") != key) continue;
    const PartialShape shape = read_shape(tensor.get_message("shape"));
    if (!shape.is_static()) throw Error(Code::CorruptFile, "a malformed entry", {.tensor = key});
    std::vector<SlicePart> parts;
    for (const proto::Message& slice : tensor.messages("slice")) {
      const auto place = table_.find(slice_key(key, slice));
      if (!place) throw Error(Code::CorruptFile, "a slice is missing", {.tensor = key});
      const proto::Message values = read_slices(files_, table_.file(), *place).get_message("data").get_message("data");
      const Shape own = slice_shape(shape.to_shape(), slice);
      parts.push_back({slice, read_values({files_, table_.file(), false}, values, tensor.get_int("type"), own)});
    }
    return join_slices(shape.to_shape(), parts);
  }
  return std::nullopt;
}

}  // namespace mo::tf

#include "core/front/tf/load/saved_tensors.h"

#include "core/base/proto/wire_message.h"
#include "core/front/tf/load/tensor_proto.h"
#include "tensorflow_messages.h"

namespace mo::tf {
namespace {

proto::Message read_message(Files& files, FileId file, const WireField& place) {
  return proto::read_wire(files, file, pb::kSchema, pb::kSchema.message("SavedTensorSlices"), place);
}

WireField meta_place(Files& files, SsTable& table) {
  const auto place = table.find("");
  if (!place) throw Error(Code::CorruptFile, "no list of variables", {.file = files.name(table.file())});
  return *place;
}

}  // namespace

SavedTensors::SavedTensors(Files& files, const std::vector<FileId>& tables) : files_(files) {
  for (const FileId file : tables) {
    Table& table = tables_.emplace_back(Table{SsTable(files, file), {}});
    const proto::Message meta = read_message(files, file, meta_place(files, table.table)).get_message("meta");
    for (const proto::Message& tensor : meta.messages("tensor"))
      table.tensors.emplace(tensor.get_string("name"), tensor);
  }
}

std::optional<Constant> SavedTensors::find(const std::string& key) {
  std::optional<Shape> shape;
  std::vector<SlicePart> parts;
  FileId file = 0;
  const auto where = [&] { return Place{.tensor = key, .file = files_.name(file)}; };
  return with_place(where, [&] {
    for (Table& table : tables_) {
      const auto found = table.tensors.find(key);
      if (found == table.tensors.end()) continue;
      file = table.table.file();
      const Shape whole = read_slices(table, key, found->second, parts);
      if (shape.value_or(whole) != whole) throw Error(Code::CorruptFile, "another shape in another shard");
      shape = whole;
    }
    return shape ? std::optional(join_slices(*shape, parts)) : std::nullopt;
  });
}

/// Gives the shape of the whole variable.
Shape SavedTensors::read_slices(Table& table, const std::string& key, const proto::Message& tensor,
                                std::vector<SlicePart>& parts) {
  const PartialShape shape = read_shape(tensor.get_message("shape"));
  if (!shape.is_static()) throw Error(Code::CorruptFile, "a malformed entry");
  const FileId file = table.table.file();
  for (const proto::Message& slice : tensor.messages("slice")) {
    const auto place = table.table.find(slice_key(key, slice));
    if (!place) throw Error(Code::CorruptFile, "a slice is missing");
    const proto::Message values = read_message(files_, file, *place).get_message("data").get_message("data");
    const Shape own = slice_shape(shape.to_shape(), slice);
    parts.push_back({slice, read_values({files_, file, false}, values, tensor.get_int("type"), own)});
  }
  return shape.to_shape();
}

}  // namespace mo::tf

#include "core/front/onnx/load/tensor_proto.h"

#include <algorithm>
#include <map>

#include "core/base/error.h"
#include "core/base/scattered.h"
#include "core/base/text.h"
#include "core/base/texts.h"
#include "core/front/expansion.h"
#include "core/front/onnx/extract/extractor.h"
#include "core/front/onnx/load/header_messages.h"
#include "onnx_messages.h"

namespace mo::onnx {
namespace {

/// The fields of one TensorProto.
struct Proto {
  Shape dims;
  int64_t data_type = 0;
  std::string name;
  std::optional<WireField> raw;
  std::vector<WireField> typed;    // float_data, double_data
  std::vector<VarintRun> varints;  // int32_data, int64_data, uint64_data
  std::vector<WireField> strings;
  std::map<std::string, std::string> external;
  bool is_external = false;
};

/// Numbers that are not packed and follow one another are one run.
void add_varints(FileId file, const WireField& field, std::vector<VarintRun>& runs) {
  if (field.is_bytes()) return runs.push_back({file, field.offset, field.size});
  const uint32_t tag = field.number << 3;
  if (!runs.empty() && runs.back().tag == tag && runs.back().offset + runs.back().size == field.start)
    runs.back().size = field.end() - runs.back().offset;
  else
    runs.push_back({file, field.start, field.end() - field.start, tag});
}

Proto walk(Window& window, const WireField& message) {
  Proto p;
  WireReader reader(window, message);
  for (WireField f; reader.next(f);) {
    switch (f.number) {
      case pb::TensorProto::dims: wire_ints(window, f, p.dims, 1 << 10); break;
      case pb::TensorProto::data_type: p.data_type = static_cast<int64_t>(f.value); break;
      case pb::TensorProto::float_data:
      case pb::TensorProto::double_data: p.typed.push_back(f); break;
      case pb::TensorProto::int32_data:
      case pb::TensorProto::int64_data:
      case pb::TensorProto::uint64_data: add_varints(window.file(), f, p.varints); break;
      case pb::TensorProto::string_data: p.strings.push_back(f); break;
      case pb::TensorProto::name: p.name = wire_text(window, f); break;
      case pb::TensorProto::raw_data: p.raw = f; break;
      case pb::TensorProto::external_data: p.external.insert(read_entry(window, f)); break;
      case pb::TensorProto::data_location: p.is_external = f.value == pb::TensorProto_DataLocation::EXTERNAL; break;
      default: break;
    }
  }
  return p;
}

uint64_t external_number(const Proto& p, const char* key, uint64_t otherwise) {
  const auto entry = p.external.find(key);
  if (entry == p.external.end()) return otherwise;
  const auto value = parse_int(entry->second);
  if (!value || *value < 0)
    throw Error(Code::CorruptFile, msg("external data: ", key, " is \"", printable(entry->second), "\""));
  return static_cast<uint64_t>(*value);
}

ContentPtr external_content(Files& files, const Proto& p, uint64_t size) {
  const auto location = p.external.find("location");
  if (location == p.external.end()) throw Error(Code::CorruptFile, "external data without a location");
  const FileId file = files.open(location->second);
  const uint64_t offset = external_number(p, "offset", 0), available = files.source(file).size();
  const uint64_t length = external_number(p, "length", size);
  if (length != size) throw Error(Code::WrongTensorSize, msg("external data has ", length, " bytes, want ", size));
  if (offset > available || size > available - offset)
    throw Error(Code::DataOutOfRange, msg("bytes ", offset, " to ", offset + size, " of ", available),
                {.file = location->second, .offset = static_cast<int64_t>(offset)});
  return std::make_shared<SliceContent>(file, offset, size);
}

/// float_data and double_data: packed values are places, single values are collected.
ContentPtr fixed_width(Files& files, Window& window, const Proto& p, uint64_t size) {
  if (p.typed.size() == 1 && p.typed[0].is_bytes()) {
    if (p.typed[0].size != size) throw Error(Code::WrongTensorSize, msg(p.typed[0].size, " bytes, want ", size));
    return std::make_shared<SliceContent>(window.file(), p.typed[0].offset, size);
  }
  std::vector<std::byte> bytes;
  for (const WireField& f : p.typed) {
    if (f.size > size - bytes.size()) throw Error(Code::WrongTensorSize, msg("more than ", size, " bytes"));
    const size_t at = bytes.size();
    bytes.resize(at + static_cast<size_t>(f.size));
    files.read(window.file(), f.offset, std::span(bytes).subspan(at));
  }
  if (bytes.size() != size) throw Error(Code::WrongTensorSize, msg(bytes.size(), " bytes, want ", size));
  return std::make_shared<OwnedContent>(std::move(bytes));
}

ContentPtr packed_strings(Window& window, const Proto& p) {
  std::vector<std::string> texts;
  for (const WireField& f : p.strings) texts.push_back(wire_text(window, f, 16 << 20));
  return make_texts({}, texts).content;
}

ContentPtr content(Files& files, Window& window, const Proto& p, ElementType type, uint64_t elements) {
  const uint64_t size = byte_size(type, elements);
  if (p.is_external) return external_content(files, p, size);
  if (type == ElementType::String) {
    if (p.strings.size() != elements)
      throw Error(Code::WrongTensorSize, msg(p.strings.size(), " texts, want ", elements));
    return packed_strings(window, p);
  }
  if (p.raw) {
    if (p.raw->size != size) throw Error(Code::WrongTensorSize, msg(p.raw->size, " bytes, want ", size));
    return std::make_shared<SliceContent>(window.file(), p.raw->offset, size);
  }
  if (size == 0) return std::make_shared<OwnedContent>(std::vector<std::byte>());
  if (!p.typed.empty()) return fixed_width(files, window, p, size);
  // Types below a byte are packed, one byte per int32.
  if (bits(type) < 8) return decode_varints(ElementType::U8, {static_cast<int64_t>(size)}, p.varints).content;
  return decode_varints(type, {static_cast<int64_t>(elements)}, p.varints).content;
}

Place place_of(const Window& window, const WireField& message, const std::string& name) {
  Place place = window.place(message.start);
  place.tensor = name;
  return place;
}

/// A SparseTensorProto: indices into the flat tensor, or one for each dimension.
class SparseTensor final : public Scattering {
 public:
  SparseTensor(Constant values, Constant indices, Shape dims)
      : values_(std::move(values)), indices_(std::move(indices)), dims_(std::move(dims)) {}

  Scattered read(Files& files) const override {
    constexpr uint64_t kLimit = 16 << 20;
    const auto numbers = read_ints(indices_, files, kLimit / 8);
    auto bytes = read_all(values_, files, kLimit);
    if (!numbers || !bytes) throw Error(Code::NotATensor, "a large sparse tensor");
    const uint64_t elements = element_count(dims_);
    const size_t count = static_cast<size_t>(values_.elements()), columns = count ? numbers->size() / count : 0;
    if (columns * count != numbers->size() || (count && columns != 1 && columns != dims_.size()))
      throw Error(Code::WrongTensorSize, "indices of a sparse tensor");
    Scattered out{{}, std::move(*bytes)};
    out.elements.reserve(count);
    for (size_t i = 0; i < count; ++i) {
      uint64_t at = 0;
      for (size_t k = 0; k < columns; ++k) {
        const int64_t index = (*numbers)[i * columns + k];
        const int64_t bound = columns == 1 ? static_cast<int64_t>(elements) : dims_[k];
        if (index < 0 || index >= bound) throw Error(Code::BadValue, msg("index ", index, " of a sparse tensor"));
        at = columns == 1 ? static_cast<uint64_t>(index)
                          : at * static_cast<uint64_t>(dims_[k]) + static_cast<uint64_t>(index);
      }
      out.elements.push_back({at, i});
    }
    return out;
  }
  std::string identity() const override {
    const std::string values = values_.content->identity(), indices = indices_.content->identity();
    if (values.empty() || indices.empty()) return {};
    return cat("sparse(", values, ",", indices, ",", join(dims_), ",", bits(values_.type), ")");
  }

 private:
  Constant values_, indices_;
  Shape dims_;
};

}  // namespace

NamedTensor read_tensor(Files& files, Window& window, const WireField& message) {
  Proto p;
  const auto where = [&] { return place_of(window, message, p.name); };
  return with_place(where, [&] {
    p = walk(window, message);
    require_dimensions(p.dims.size());
    const uint64_t elements = element_count(p.dims);
    const ElementType type = element_type(p.data_type);
    return NamedTensor{p.name, {type, p.dims, content(files, window, p, type, elements)}};
  });
}

NamedTensor read_sparse_tensor(Files& files, Window& window, const WireField& message) {
  NamedTensor values, indices;
  Shape dims;
  WireReader reader(window, message);
  for (WireField f; reader.next(f);) {
    if (f.number == pb::SparseTensorProto::values) values = read_tensor(files, window, f);
    if (f.number == pb::SparseTensorProto::indices) indices = read_tensor(files, window, f);
    if (f.number == pb::SparseTensorProto::dims) wire_ints(window, f, dims, 1 << 10);
  }
  const auto where = [&] { return place_of(window, message, values.name); };
  return with_place(where, [&] {
    require_dimensions(dims.size());
    const uint64_t size = byte_size(values.value.type, element_count(dims));
    if (bits(values.value.type) < 8) throw Error(Code::NotATensor, "a sparse tensor of elements of less than a byte");
    const ElementType type = values.value.type;
    Constant dense = scatter(type, dims, std::make_shared<SparseTensor>(values.value, indices.value, dims));
    dense.content->check(files);
    if (size > kComputeAtOnce) return NamedTensor{values.name, std::move(dense)};
    return NamedTensor{values.name, owned(type, dims, *read_all(dense, files, kComputeAtOnce))};
  });
}

}  // namespace mo::onnx

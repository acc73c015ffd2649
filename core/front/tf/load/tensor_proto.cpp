#include "core/front/tf/load/tensor_proto.h"

#include <cstring>

#include "core/base/half.h"
#include "core/base/text.h"
#include "core/base/texts.h"
#include "core/base/window.h"
#include "core/front/expansion.h"
#include "tensorflow_messages.h"

namespace mo::tf {
namespace {

/// The field with the values of a type.
const char* list_of(int64_t data_type) {
  switch (data_type) {
    case pb::DataType::DT_FLOAT: return "float_val";
    case pb::DataType::DT_DOUBLE: return "double_val";
    case pb::DataType::DT_COMPLEX64: return "scomplex_val";
    case pb::DataType::DT_COMPLEX128: return "dcomplex_val";
    case pb::DataType::DT_INT64: return "int64_val";
    case pb::DataType::DT_BOOL: return "bool_val";
    case pb::DataType::DT_HALF:
    case pb::DataType::DT_BFLOAT16: return "half_val";
    case pb::DataType::DT_UINT32: return "uint32_val";
    case pb::DataType::DT_UINT64: return "uint64_val";
    case pb::DataType::DT_STRING: return "string_val";
    case pb::DataType::DT_FLOAT8_E5M2:
    case pb::DataType::DT_FLOAT8_E4M3FN: return "float8_val";
    default: return "int_val";
  }
}

std::vector<std::byte> bytes_of(const std::string& text) {
  std::vector<std::byte> out(text.size());
  if (!text.empty()) std::memcpy(out.data(), text.data(), text.size());
  return out;
}

/// The bytes of one element. A half is given by its bits.
std::vector<std::byte> element(ElementType type, const proto::Scalar& value) {
  uint64_t word = value.bits;
  if (value.kind == proto::Scalar::Float && type == ElementType::F32)
    word = std::bit_cast<uint32_t>(static_cast<float>(std::bit_cast<double>(value.bits)));
  std::vector<std::byte> out(static_cast<size_t>(bits(type)) / 8);
  std::memcpy(out.data(), &word, out.size());  // all hosts are little-endian
  return out;
}

/// Elements that a list gives.
struct Values {
  uint64_t count = 0;
  std::optional<Constant> all;  ///< of shape [count]
  std::vector<std::byte> last;  ///< the bytes of the last element
};

/// Values of a text, or of a short list.
Values in_memory(const proto::Message& tensor, const char* list, ElementType type, uint64_t most) {
  Values out;
  std::vector<std::byte> bytes;
  tensor.each(list, [&](const proto::Scalar& value) {
    if (out.count == most) return;
    out.last = element(type, value);
    bytes.insert(bytes.end(), out.last.begin(), out.last.end());
    ++out.count;
  });
  if (out.count) out.all = owned(type, {static_cast<int64_t>(out.count)}, std::move(bytes));
  return out;
}

/// A packed list of numbers of fixed size is their bytes.
Values fixed_width(const Origin& origin, const WireField& field, ElementType type, uint64_t most) {
  const auto width = static_cast<uint64_t>(bits(type)) / 8;
  if (field.size % width) throw Error(Code::CorruptFile, "a list of values ends inside a number");
  Values out;
  out.count = std::min(field.size / width, most);
  out.all = Constant{type,
                     {static_cast<int64_t>(out.count)},
                     std::make_shared<SliceContent>(origin.file, field.offset, out.count * width)};
  out.last.resize(static_cast<size_t>(width));
  if (out.count) origin.files.read(origin.file, field.offset + (out.count - 1) * width, out.last);
  return out;
}

/// The length of a packed list of varints is known only after all of its bytes are read, once, page by page.
Values varints(const Origin& origin, const WireField& field, ElementType type, uint64_t most) {
  Window window(origin.files, origin.file);
  Values out;
  uint64_t end = field.offset, last = field.offset, value = 0;
  for (uint64_t at = field.offset; at < field.end() && out.count < most; ++at)
    if (!(window.byte(at) & 0x80)) last = std::exchange(end, at + 1), ++out.count;
  if (!out.count && field.size) throw Error(Code::CorruptFile, "a list of values ends inside a number");
  for (uint64_t at = last, shift = 0; at < end && shift < 64; ++at, shift += 7)
    value |= static_cast<uint64_t>(window.byte(at) & 0x7f) << shift;
  if (type == ElementType::Bool) value = value != 0;
  out.all = decode_varints(type, {static_cast<int64_t>(out.count)}, {{origin.file, field.offset, end - field.offset}});
  out.last = element(type, value);
  return out;
}

Values values_of(const Origin& origin, const proto::Message& tensor, const char* list, ElementType type,
                 uint64_t most) {
  constexpr uint64_t kShort = 256;
  const proto::Entries found = tensor.occurrences(list);
  const bool packed = found.size() == 1 && found[0].field.is_bytes();
  if (origin.is_text || !packed || found[0].field.size <= kShort) return in_memory(tensor, list, type, most);
  const bool fixed = type == ElementType::F32 || type == ElementType::F64;
  return (fixed ? fixed_width : varints)(origin, found[0].field, type, most);
}

Constant from_list(const Origin& origin, const proto::Message& tensor, int64_t data_type, ElementType type,
                   const Shape& shape, uint64_t elements) {
  const Values given = values_of(origin, tensor, list_of(data_type), type, elements);
  if (given.count == elements && given.all) return reshape(*given.all, shape);
  if (given.count && is_complex(data_type))
    throw Error(Code::UnsupportedType, msg("a short list of ", type_name(data_type)));
  if (given.count < 2) {
    const std::vector<std::byte> zero(static_cast<size_t>(bits(type)) / 8);
    return fill(type, shape, given.count ? given.last : zero);
  }
  const auto rest = static_cast<int64_t>(elements - given.count);
  return reshape(concat({*given.all, fill(type, {rest}, given.last)}, 0), shape);
}

Constant texts(const proto::Message& tensor, const Shape& shape, uint64_t elements) {
  std::vector<std::string> given = tensor.strings("string_val");
  if (elements > proto::Message::kMaxValues) throw Error(Code::TooDeep, msg(elements, " texts"));
  const std::string last = given.empty() ? std::string() : given.back();
  given.resize(static_cast<size_t>(elements), last);
  return make_texts(shape, given);
}

}  // namespace

std::optional<ElementType> element_type(int64_t data_type) {
  switch (data_type >= 100 ? data_type - 100 : data_type) {
    case pb::DataType::DT_FLOAT: return ElementType::F32;
    case pb::DataType::DT_DOUBLE: return ElementType::F64;
    case pb::DataType::DT_INT32:
    case pb::DataType::DT_QINT32: return ElementType::I32;
    case pb::DataType::DT_UINT8:
    case pb::DataType::DT_QUINT8: return ElementType::U8;
    case pb::DataType::DT_INT16:
    case pb::DataType::DT_QINT16: return ElementType::I16;
    case pb::DataType::DT_INT8:
    case pb::DataType::DT_QINT8: return ElementType::I8;
    case pb::DataType::DT_STRING: return ElementType::String;
    case pb::DataType::DT_INT64: return ElementType::I64;
    case pb::DataType::DT_BOOL: return ElementType::Bool;
    case pb::DataType::DT_BFLOAT16: return ElementType::BF16;
    case pb::DataType::DT_UINT16:
    case pb::DataType::DT_QUINT16: return ElementType::U16;
    case pb::DataType::DT_HALF: return ElementType::F16;
    case pb::DataType::DT_UINT32: return ElementType::U32;
    case pb::DataType::DT_UINT64: return ElementType::U64;
    case pb::DataType::DT_FLOAT8_E5M2: return ElementType::F8E5M2;
    case pb::DataType::DT_FLOAT8_E4M3FN: return ElementType::F8E4M3;
    default: return std::nullopt;
  }
}

bool is_complex(int64_t data_type) {
  return data_type == pb::DataType::DT_COMPLEX64 || data_type == pb::DataType::DT_COMPLEX128;
}

bool is_handle(int64_t data_type) {
  return data_type == pb::DataType::DT_RESOURCE || data_type == pb::DataType::DT_VARIANT;
}

std::string type_name(int64_t data_type) {
  switch (data_type) {
    case pb::DataType::DT_COMPLEX64: return "complex64";
    case pb::DataType::DT_COMPLEX128: return "complex128";
    case pb::DataType::DT_RESOURCE: return "resource";
    case pb::DataType::DT_VARIANT: return "variant";
    default: return cat("data type ", data_type);
  }
}

PartialShape read_shape(const proto::Message& shape) {
  if (shape.get_bool("unknown_rank")) return {};
  std::vector<Dimension> sizes;
  const std::vector<proto::Entry> dims = shape.occurrences("dim");
  require_dimensions(dims.size());
  for (const proto::Entry& dim : dims) {
    const int64_t size = shape.message(dim).get_int("size");
    if (size < -1) throw Error(Code::CorruptFile, msg("a dimension of ", size));
    sizes.push_back(size < 0 ? kAnyDimension : Dimension(size));
  }
  return PartialShape(sizes);
}

Constant read_tensor(const Origin& origin, const proto::Message& tensor) {
  const PartialShape shape = read_shape(tensor.get_message("tensor_shape"));
  if (!shape.is_static()) throw Error(Code::CorruptFile, "a tensor without a definite shape");
  return read_values(origin, tensor, tensor.get_int("dtype"), shape.to_shape());
}

Constant read_values(const Origin& origin, const proto::Message& tensor, int64_t data_type, const Shape& dims) {
  const bool pairs = is_complex(data_type);
  std::optional<ElementType> type = element_type(data_type);
  if (pairs) type = data_type == pb::DataType::DT_COMPLEX64 ? ElementType::F32 : ElementType::F64;
  if (!type) throw Error(Code::UnsupportedType, type_name(data_type));
  Shape shape = dims;
  if (pairs) shape.push_back(2);
  const uint64_t elements = element_count(shape);
  if (*type == ElementType::String) return texts(tensor, shape, elements);
  const uint64_t size = byte_size(*type, elements);
  const auto give = [&](uint64_t length, ContentPtr bytes) -> Constant {
    if (length != size) throw Error(Code::WrongTensorSize, msg(length, " bytes, want ", size));
    return {*type, shape, std::move(bytes)};
  };
  for (const char* field : {"tensor_content", "float8_val"}) {
    const proto::Entries found = tensor.occurrences(field);
    if (found.empty()) continue;
    if (!origin.is_text) {
      const WireField& place = found.back().field;
      if (place.size) return give(place.size, std::make_shared<SliceContent>(origin.file, place.offset, place.size));
    } else if (const std::string text = tensor.get_string(field); !text.empty()) {
      return give(text.size(), std::make_shared<OwnedContent>(bytes_of(text)));
    }
  }
  return from_list(origin, tensor, data_type, *type, shape, elements);
}

}  // namespace mo::tf

#include "core/front/onnx/load/header_messages.h"

#include "core/base/error.h"
#include "core/front/expansion.h"
#include "onnx_messages.h"

namespace mo::onnx {
namespace {

WireReader fields_of(Window& window, const WireField& message) {
  if (message.is_bytes()) return {window, message};
  throw Error(Code::CorruptFile, "a number where a message belongs", {.offset = static_cast<int64_t>(message.start)});
}

Dimension read_dimension(Window& window, const WireField& message) {
  Dimension dimension = kAnyDimension;
  WireReader reader = fields_of(window, message);
  for (WireField f; reader.next(f);) {
    if (f.number == pb::TensorShapeProto_Dimension::denotation) continue;
    const auto size = static_cast<int64_t>(f.value);
    const bool known = f.number == pb::TensorShapeProto_Dimension::dim_value && size >= 0;
    dimension = known ? Dimension(size) : kAnyDimension;
  }
  return dimension;
}

/// Adds the dimensions of a TensorShapeProto to `shape`: protobuf merges a message that occurs twice.
void read_shape(Window& window, const WireField& message, PartialShape& shape) {
  std::vector<Dimension> dimensions;
  if (shape.has_rank()) dimensions = shape.dimensions();
  WireReader reader = fields_of(window, message);
  for (WireField f; reader.next(f);)
    if (f.number == pb::TensorShapeProto::dim) {
      require_dimensions(dimensions.size() + 1);
      dimensions.push_back(read_dimension(window, f));
    }
  shape = std::move(dimensions);
}

void read_tensor_type(Window& window, const WireField& message, ValueInfo& info) {
  WireReader reader = fields_of(window, message);
  for (WireField f; reader.next(f);) {
    if (f.number == pb::TypeProto_Tensor::elem_type) info.data_type = static_cast<int32_t>(f.value);
    if (f.number == pb::TypeProto_Tensor::shape) read_shape(window, f, info.shape);
  }
}

void read_type(Window& window, const WireField& message, ValueInfo& info) {
  WireReader reader = fields_of(window, message);
  for (WireField f; reader.next(f);) {
    if (f.number == pb::TypeProto::denotation) continue;
    info.is_tensor = f.number == pb::TypeProto::tensor_type;
    if (info.is_tensor) read_tensor_type(window, f, info);
  }
}

}  // namespace

ValueInfo read_value_info(Window& window, const WireField& message) {
  ValueInfo info;
  WireReader reader = fields_of(window, message);
  for (WireField f; reader.next(f);) {
    if (f.number == pb::ValueInfoProto::name) info.name = wire_text(window, f);
    if (f.number == pb::ValueInfoProto::type) read_type(window, f, info);
  }
  return info;
}

OperatorSet read_operator_set(Window& window, const WireField& message) {
  OperatorSet set;
  WireReader reader = fields_of(window, message);
  for (WireField f; reader.next(f);) {
    if (f.number == pb::OperatorSetIdProto::domain) set.domain = wire_text(window, f);
    if (f.number == pb::OperatorSetIdProto::version) set.version = static_cast<int64_t>(f.value);
  }
  if (set.domain == "ai.onnx") set.domain.clear();
  return set;
}

std::pair<std::string, std::string> read_entry(Window& window, const WireField& message) {
  std::pair<std::string, std::string> entry;
  WireReader reader = fields_of(window, message);
  for (WireField f; reader.next(f);) {
    if (f.number == pb::StringStringEntryProto::key) entry.first = wire_text(window, f);
    if (f.number == pb::StringStringEntryProto::value) entry.second = wire_text(window, f);
  }
  return entry;
}

}  // namespace mo::onnx

#include "core/front/onnx/load/onnx_pb.h"

#include "core/base/error.h"
#include "onnx.pb.h"

namespace mo::onnx {
namespace {

template <typename Proto>
Proto parse(std::span<const std::byte> message) {
  Proto proto;
  if (!proto.ParseFromArray(message.data(), static_cast<int>(message.size())))
    throw Error(Code::CorruptFile, "a header message cannot be read");
  return proto;
}

}  // namespace

ValueInfo parse_value_info(std::span<const std::byte> message) {
  const auto proto = parse<::onnx::ValueInfoProto>(message);
  ValueInfo info;
  info.name = proto.name();
  info.is_tensor = proto.type().value_case() == ::onnx::TypeProto::kTensorType ||
                   proto.type().value_case() == ::onnx::TypeProto::VALUE_NOT_SET;
  const auto& tensor = proto.type().tensor_type();
  info.data_type = tensor.elem_type();
  if (!tensor.has_shape()) return info;
  std::vector<Dimension> dimensions;
  for (const auto& dim : tensor.shape().dim())
    dimensions.push_back(dim.has_dim_value() && dim.dim_value() >= 0 ? Dimension(dim.dim_value()) : kAnyDimension);
  info.shape = std::move(dimensions);
  return info;
}

OperatorSet parse_operator_set(std::span<const std::byte> message) {
  const auto proto = parse<::onnx::OperatorSetIdProto>(message);
  return {proto.domain() == "ai.onnx" ? "" : proto.domain(), proto.version()};
}

std::pair<std::string, std::string> parse_entry(std::span<const std::byte> message) {
  const auto proto = parse<::onnx::StringStringEntryProto>(message);
  return {proto.key(), proto.value()};
}

}  // namespace mo::onnx

// The small header messages of an ONNX file, read with protobuf-lite. No other file uses the generated classes.
#pragma once

#include <map>
#include <span>
#include <string>

#include "core/base/shape.h"

namespace mo::onnx {

/// A ValueInfoProto: name, TensorProto.DataType and shape of a tensor.
struct ValueInfo {
  std::string name;
  bool is_tensor = false;  ///< a dense tensor, or no type given
  int64_t data_type = 0;
  PartialShape shape;  ///< symbolic and negative dimensions are unknown
};
/// Throws CorruptFile.
ValueInfo parse_value_info(std::span<const std::byte> message);

struct OperatorSet {
  std::string domain;
  int64_t version = 0;
};
OperatorSet parse_operator_set(std::span<const std::byte> message);

/// One StringStringEntryProto.
std::pair<std::string, std::string> parse_entry(std::span<const std::byte> message);

}  // namespace mo::onnx

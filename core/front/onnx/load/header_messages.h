// The small messages of an ONNX file that have no payload.
#pragma once

#include <string>
#include <utility>

#include "core/base/proto/wire.h"
#include "core/base/shape.h"

namespace mo::onnx {

/// A ValueInfoProto: name, TensorProto.DataType and shape of a tensor.
struct ValueInfo {
  std::string name;
  bool is_tensor = true;  ///< a dense tensor, or no type given
  int64_t data_type = 0;
  PartialShape shape;  ///< symbolic and negative dimensions are unknown
};
/// The three functions of this header throw TruncatedFile and CorruptFile; the latter also for a field that is not a
/// message.
ValueInfo read_value_info(Window& window, const WireField& message);

struct OperatorSet {
  std::string domain;
  int64_t version = 0;
};
OperatorSet read_operator_set(Window& window, const WireField& message);

/// One StringStringEntryProto.
std::pair<std::string, std::string> read_entry(Window& window, const WireField& message);

}  // namespace mo::onnx

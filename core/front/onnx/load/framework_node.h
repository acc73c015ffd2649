// A node as its ONNX file has it, read again for who asks: extraction renames and drops.
#pragma once

#include "core/graph/graph.h"

namespace mo::onnx {

struct FrameworkMessage {
  std::string name;
  /// Under ONNX's names. Without bodies, and without those that refer to an attribute of the function around the node.
  Attributes attributes;
};

/// The NodeProto behind `node`, which must have `pb`. Throws CorruptFile, TruncatedFile and what read_attributes()
/// throws.
FrameworkMessage read_framework_message(const Node& node);

}  // namespace mo::onnx

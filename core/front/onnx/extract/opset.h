// What extractors ask of the node that was read.
#pragma once

#include "core/graph/framework_node.h"
#include "core/graph/node.h"

namespace mo::onnx {

/// The operator set version the node is read by.
inline int64_t opset(const Node& node) { return node.pb ? node.pb->since : 0; }

}  // namespace mo::onnx

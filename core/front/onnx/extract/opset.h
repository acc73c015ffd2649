// The operator set of a node, for extractors.
#pragma once

#include "core/graph/framework_node.h"
#include "core/graph/node.h"

namespace mo::onnx {

/// The operator set version of the node's domain.
inline int64_t opset(const Node& node) { return node.pb ? node.pb->since : 0; }

}  // namespace mo::onnx

// A NodeProto, read again for who asks.
#pragma once

#include "core/front/framework_node.h"

namespace mo::onnx {

/// Attributes are without bodies, and without those that refer to an attribute of the function around the node.
extern const NodeFormat kNodeFormat;

}  // namespace mo::onnx

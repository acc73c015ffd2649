// A NodeProto, read again.
#pragma once

#include "core/front/framework_node.h"

namespace mo::onnx {

/// Attributes do not include bodies, or references to attributes of the enclosing function.
extern const NodeFormat kNodeFormat;

}  // namespace mo::onnx

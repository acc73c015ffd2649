// A node of a symbol, read again.
#pragma once

#include "core/front/framework_node.h"

namespace mo::mxnet {

/// Attributes have the names of the symbol, and are texts.
extern const NodeFormat kNodeFormat;

}  // namespace mo::mxnet

#pragma once

#include "core/front/framework_node.h"

namespace mo::tf {

/// How nodes are read again.
extern const NodeFormat kNodeFormat;

}  // namespace mo::tf

// An OpDesc, read again.
#pragma once

#include "core/front/framework_node.h"

namespace mo::paddle {

/// Attributes have the names of the program.
extern const NodeFormat kNodeFormat;

}  // namespace mo::paddle

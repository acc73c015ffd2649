// A component with its fields, as the file has them.
#pragma once

#include "core/front/framework_node.h"

namespace mo::kaldi {

/// Fields have the names of their tokens, and are in FrameworkNode::elsewhere.
extern const NodeFormat kNodeFormat;

}  // namespace mo::kaldi

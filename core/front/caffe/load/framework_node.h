#pragma once

#include "core/front/framework_node.h"

namespace mo::caffe {

/// How layers are read again.
extern const NodeFormat kNodeFormat;

}  // namespace mo::caffe

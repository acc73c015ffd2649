#pragma once

#include "core/front/framework_node.h"

namespace mo::tflite {

/// How operators are read again.
extern const NodeFormat kNodeFormat;

}  // namespace mo::tflite

// A node of a program, read again.
#pragma once

#include "core/front/framework_node.h"

namespace mo::pytorch {

struct Operation;

/// Attributes have the names of the operator's schema.
extern const NodeFormat kNodeFormat;

/// The arguments that are no tensors as attributes; a list that values of the graph give in part has kFromGraph there.
Attributes attributes_of(const Operation& operation);

}  // namespace mo::pytorch

// Operations that become others which have a decomposition of their own.
#pragma once

#include <string_view>
#include <vector>

#include "core/build/builder.h"

namespace mo {

/// The outputs of `op`, an operation as it is after extraction, once it has been replaced by its own decomposition.
std::vector<OutPort> decomposed(Builder& b, const char* op, List<OutPort> inputs, Attributes attributes,
                                int outputs = 1);

}  // namespace mo

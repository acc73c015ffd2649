// Operations that become others with decompositions of their own.
#pragma once

#include <string_view>
#include <vector>

#include "core/build/builder.h"

namespace mo {

/// Makes an `op` in the form it has after extraction, replaces it by its decomposition, and returns the outputs.
std::vector<OutPort> decomposed(Builder& b, const char* op, List<OutPort> inputs, Attributes attributes,
                                int outputs = 1);

}  // namespace mo

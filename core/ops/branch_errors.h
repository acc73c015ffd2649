// Errors in a branch of an If that the model may never take.
#pragma once

#include "core/graph/node.h"

namespace mo {

/// Adds to the errors of the model from message `first` on that they are in this branch of the If, and that the inputs
/// of the model that decide the condition can be frozen. Does nothing if the condition also depends on something else,
/// or on an input of several elements.
void tell_branch(const Node& owner, const char* branch, size_t first);

}  // namespace mo

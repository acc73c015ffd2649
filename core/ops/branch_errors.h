// Errors in a branch of an If that the model may never take.
#pragma once

#include "core/graph/node.h"

namespace mo {

/// Adds to the errors of the model from message `first` on that they are in this branch of the If, and that its inputs
/// which decide the condition can be frozen. Does nothing where something else decides, too, or a larger tensor.
void tell_branch(const Node& owner, const char* branch, size_t first);

}  // namespace mo

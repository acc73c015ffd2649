// Complex numbers are pairs in a last dimension, which the program does not know of.
#pragma once

#include "core/graph/graph.h"

namespace mo::paddle {

/// Whether the operator has complex inputs or outputs.
bool is_complex(const Node& node);
/// Attributes of such an operator count the dimension of pairs, too. Throws UnsupportedForm for operators whose rows
/// would not compute with complex numbers.
void count_pairs(Node& node);

}  // namespace mo::paddle

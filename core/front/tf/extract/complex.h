// Operations on complex numbers, which are pairs of real numbers in a last dimension.
#pragma once

#include <functional>

#include "core/graph/graph.h"

namespace mo::tf {

/// Extracts a node that reads or gives complex numbers. False if its row does that, for an operation on pairs or for a
/// node that has become one on real numbers. `extract` is for nodes on real numbers of which the node is made. Throws
/// UnsupportedForm for an operation that is not known for complex numbers.
bool extract_complex(Node& node, const std::function<void(Node&)>& extract);

/// Whether one of the types that the node's attributes name is complex.
bool is_of_complex(const Node& node);

}  // namespace mo::tf

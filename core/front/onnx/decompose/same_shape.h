// Which tensors of a loop's body have the same shape in every iteration.
#pragma once

#include <vector>

#include "core/graph/graph.h"

namespace mo::onnx {

/// For each node of the inferred body, by id: whether the shapes of its outputs are proven to be the same in every
/// iteration.
std::vector<char> same_shapes(const Graph& body);

}  // namespace mo::onnx

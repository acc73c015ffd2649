// How the channels of an operation's result depend on those of its inputs.
#pragma once

#include <optional>

#include "core/graph/graph.h"

namespace mo {

enum class Flow {
  ZeroOfZero,  ///< channel by channel; 0 stays 0
  Pointwise,   ///< element by element; 0 becomes another number
  Clamp,       ///< 0 stays 0 if it lies between the bounds
  Slope,       ///< 0 stays 0; input 1 may have a number for each channel
  Sum,         ///< 0 where both operands are
  Product,     ///< 0 where one operand is
  Weights,     ///< input 1 are weights of all inputs and outputs
  MatMul,      ///< the same in two dimensions
  Depthwise,   ///< input 1 are weights of each channel, if it has that form
  Reduce,      ///< over other axes
  Concat,
  Reshape,
  Transpose,
  Pad,
  Resize,
};

/// Nothing for an operation that needs all channels of its inputs.
std::optional<Flow> flow_of(Node& node);

}  // namespace mo

// What operations demand of the shapes of their inputs, whatever the model says.
#pragma once

#include <vector>

#include "core/graph/graph.h"

namespace mo {

/// Node `node`, one of its inputs, and what the readers of its outputs demand of these.
struct Demand {
  const Node& node;
  int input = 0;
  const std::vector<PartialShape>& outputs;
};

/// The shape that input `input` must have, as far as operation and weights fix it; of unknown rank if they do not.
PartialShape demanded_shape(const Demand& demand);

/// The shape of a constant, also behind operations that keep it.
PartialShape constant_shape(OutPort port);

}  // namespace mo

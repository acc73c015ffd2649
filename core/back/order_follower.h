// Which nodes compute the same with their axes in another order.
#pragma once

#include "core/graph/graph.h"

namespace mo {

enum class Follower {
  No,
  Same,    ///< inputs and outputs have one order; by the layout rules of its operation
  Blocks,  ///< joins, splits, adds or drops axes (core/back/dimension_blocks.h)
};
Follower follower(Node& node);
/// Whether input `i` has the order of the data. Numbers for all elements, and what is no data, have none.
bool has_order(const Node& node, int i);
/// Whether a runtime computes the node as well with this order.
bool is_good_order(const Node& node, const Ints& order);

}  // namespace mo

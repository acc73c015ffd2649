// Which channels of a graph's tensors are always 0, and which can be removed without changing an output.
#pragma once

#include <optional>
#include <vector>

#include "core/graph/graph.h"

namespace mo {

/// The channels of a tensor. Those with one class can only be removed together.
struct Channels {
  size_t axis = 0;
  std::vector<int> classes;  ///< by channel
  std::vector<bool> zero;    ///< by channel: all its elements are 0
};

/// Elements along `axis` of the constant that node `reader` has as input `input` belong to these classes.
struct ChannelUse {
  Node* reader;
  int input;
  size_t axis;
  std::vector<int> classes;
  bool is_shape = false;  ///< the element at `axis` is the number of channels
};

struct ChannelPlan {
  std::vector<ChannelUse> uses;
  std::vector<bool> removable;  ///< by class
};

/// Follows the channels from operation to operation. A class is removable if its channels are 0 wherever weights read
/// them, and all other readers only pass them on. One channel of a tensor stays.
ChannelPlan plan_removal(Graph& graph);

}  // namespace mo

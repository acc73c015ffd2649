// The order in which nodes of nnet3 can be made, and where a network reads its own past: there the graph is cut.
#pragma once

#include "core/front/kaldi/load/network.h"

namespace mo::kaldi {

/// A node that a descriptor reads, so many frames later.
struct Reference {
  std::string node;
  int64_t offset = 0;
};
/// The nodes that a descriptor reads at times that move with its own, in order.
std::vector<Reference> references_of(const Descriptor& descriptor);
/// Components that Kaldi gives no input, whatever their node names: often it is the node itself.
bool has_input(const Component& component);

struct NodeOrder {
  std::vector<size_t> nodes;     ///< numbers of all nodes: sources before those that read them
  std::vector<size_t> cycle_of;  ///< by number: nodes with the same number read each other
  /// Whether a node's reference to another one is a state: an earlier value of a node that depends on it.
  bool is_state(size_t reader, size_t source, int64_t offset) const {
    return offset < 0 && cycle_of[reader] == cycle_of[source];
  }
};
/// Throws CyclicGraph for nodes that need each other at the same time or later, UnknownTensor for names without node.
NodeOrder node_order(const Network& network, const std::vector<std::vector<std::pair<size_t, int64_t>>>& references);

}  // namespace mo::kaldi

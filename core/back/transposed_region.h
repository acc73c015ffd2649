// A part of the graph that can compute with its axes in another order.
#pragma once

#include <deque>
#include <map>

#include "core/back/dimension_blocks.h"

namespace mo {

/// A node of the region: the orders of its first input and its first output.
struct RegionNode {
  Node* node = nullptr;
  Ints before, after;
  Ints pattern;  ///< of a Reshape
};

/// Grows from one tensor over nodes that follow an order of axes, until Transposes and other nodes.
class TransposedRegion {
 public:
  /// `visits`: how often regions have looked at each node. A region that comes to one too often is given up.
  TransposedRegion(DimensionOrigins& origins, std::vector<unsigned char>& visits)
      : origins_(origins), visits_(visits) {}

  /// Whether there is a region in which `start` has its axes in this order.
  bool grow(OutPort start, const Ints& order);
  /// Whether there are fewer Transposes if the region computes in the new order, first of all of those that change the
  /// order of elements.
  bool spares_transposes() const;
  /// Changes the order of the region, and puts Transposes where others read or give its tensors.
  void apply();

 private:
  using Key = std::pair<int, int>;
  static Key key(OutPort port) { return {port.node().id(), port.index()}; }

  void assign(OutPort tensor, const Ints& order);
  void spread(OutPort tensor);
  bool enter(Node& node, OutPort from);
  void add(RegionNode made);
  int more_transposes(OutPort tensor, const Ints& order) const;
  bool enter_blocks(Node& node, const DimensionBlocks& blocks, bool forwards);
  Ints wanted(OutPort tensor) const;
  const Ints& order_of(OutPort tensor) const { return orders_.at(key(tensor)); }
  bool is_made_inside(OutPort tensor) const;
  bool is_inside(const InPort& port) const;
  OutPort entering(OutPort source, const Ints& order);
  OutPort constant_operand(OutPort source, const Ints& order);
  void leave(OutPort tensor, const std::vector<InPort>& readers);
  static void turn(const RegionNode& inside);

  DimensionOrigins& origins_;
  std::vector<unsigned char>& visits_;
  bool failed_ = false;
  std::map<Key, Ints> orders_;     ///< of tensors that the region makes or reads
  std::vector<OutPort> tensors_;   ///< these, in the order in which they were found
  std::map<Key, size_t> readers_;  ///< how many readers in the region a tensor has
  std::map<int, bool> entered_;    ///< by id: whether the node is in the region, or could not
  std::vector<RegionNode> nodes_;
  std::deque<OutPort> open_;
  std::map<std::pair<Key, Ints>, OutPort> operands_;
};

}  // namespace mo

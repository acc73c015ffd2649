// Which transforms run, and in which order.
#pragma once

#include "core/pipeline/transform.h"

namespace mo {

/// A transform at its place in the order.
struct ScheduledTransform {
  const TransformRow* row;
  std::unique_ptr<Transform> transform;
};

/// All transforms that are not Decompositions, sorted: edges from run_after and run_before, default edges to the
/// phase's anchors, then a depth-first visit over name-sorted roots and children whose reversed post-order is the
/// order. Names that are not registered are ignored. Throws TransformCycle naming a cycle, DuplicateTransform.
std::vector<ScheduledTransform> schedule_transforms();

/// The registered Decompositions by the op they replace.
class Decompositions {
 public:
  Decompositions();
  /// Replaces the node when one is registered for it; false leaves it to its OpDef.
  bool apply(Node& node) const;
  /// The name of the transform for an op, or empty.
  std::string_view find(std::string_view op) const;

 private:
  struct Entry {
    const TransformRow* row;
    Decomposition* decomposition;
  };
  std::vector<std::unique_ptr<Transform>> owned_;
  std::map<std::string_view, Entry> by_op_;
};

}  // namespace mo

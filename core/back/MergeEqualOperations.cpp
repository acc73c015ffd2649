// Before: several equal operations on the same tensors
// After:  one of them, with the consumers and tensor names of all
// Conditions: those of core/back/equal_operations.h; one of their sources has several readers already. A Broadcast
//             stays: states of recurrent layers that begin alike are not one state. Rewrites that keep readers of a
//             tensor apart, for faults of the runtime, come afterwards.

#include "core/back/equal_operations.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class MergeEqualOperations final : public BackReplacementPattern {
 public:
  Names run_after() const override { return {"TransposeToReshape"}; }
  Names run_before() const override {
    return {"ReshapeAfterReduce", "BroadcastOfAttentionMask", "ChangingLoopValues", "DataOfGatherElements",
            "ApplyRequestedTransforms"};
  }
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    EqualOperations equal;
    for (Node* node : graph.topological_order())
      if (node->op() != "Broadcast" && has_shared_source(*node)) equal.merge(*node);
  }

 private:
  /// Most operations read what nothing else reads: no other is equal to them.
  static bool has_shared_source(const Node& node) {
    for (int i = 0; i < node.in_count(); ++i) {
      const OutPort source = node.source(i);
      if (source && source.node().op() != "Const" && source.reader_count() > 1) return true;
    }
    return false;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(MergeEqualOperations)
}  // namespace mo

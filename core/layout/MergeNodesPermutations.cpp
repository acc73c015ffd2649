// Before: tensors with their marks
// After:  unchanged; a tensor that is NCHW at one end and in the framework's layout at the other is an error
// Conditions: not for inputs and outputs of the model, which PreserveRuntimeInfo handles.

#include "core/layout/layout_pass.h"

namespace mo {
namespace {

class MergeNodesPermutations final : public LayoutPass {
 public:
  Names run_after() const override { return {"ApplyNHWCtoNCHWpermutation"}; }
  Names run_before() const override { return {"PreserveRuntimeInfo"}; }

  void find_and_replace_pattern(Graph& graph) override {
    Layouts layouts(graph);
    for (Node* node : graph.nodes())
      for (int i = 0; i < node->in_count(); ++i) {
        const OutPort source = node->source(i);
        const bool outer = !graph.owner() && (is_boundary(*node) || (source && is_boundary(source.node())));
        if (source && !outer && layouts.disagree({node, i}))
          throw Error(Code::LayoutMismatch, msg("input ", i, ", from ", source.node().name()), node->place());
      }
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(MergeNodesPermutations)
}  // namespace mo

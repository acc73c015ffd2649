// Before: tensors of four dimensions and more, made by nodes that compute in NCHW
// After:  they are marked Permuted

#include "core/layout/layout_pass.h"

namespace mo {
namespace {

class ApplyNHWCtoNCHWpermutation final : public LayoutPass {
 public:
  Names run_after() const override { return {"LayoutChangeForConstantShapePaths"}; }
  Names run_before() const override { return {"MergeNodesPermutations"}; }

  void find_and_replace_pattern(Graph& graph) override {
    Layouts layouts(graph);
    for (Node* node : graph.nodes())
      for (int i = 0; i < node->out_count(); ++i)
        if (layouts.layout_of(node->out(i)) == End::Nchw) node->out(i).tensor().layout = LayoutMark::Permuted;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(ApplyNHWCtoNCHWpermutation)
}  // namespace mo

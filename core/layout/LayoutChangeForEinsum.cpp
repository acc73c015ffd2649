// Before: Einsum "nhwc,cd->nhwd" in NCHW
// After:  Einsum "nchw,cd->ndhw"
// Conditions: the equation can be written for NCHW. Otherwise the node keeps the framework's layout.

#include "core/layout/layout_pass.h"

namespace mo {
namespace {

class LayoutChangeForEinsum final : public LayoutPass {
 public:
  Names run_after() const override { return {"NormalizeEltwiseInputs"}; }
  Names run_before() const override { return {"InsertLayoutPropagationTranspose"}; }

  void find_and_replace_pattern(Graph& graph) override {
    Layouts layouts(graph);
    for (Node* node : graph.nodes("Einsum"))
      if (layouts.works_in_nchw(*node)) node->set("equation", *equation_in_nchw(*node));
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(LayoutChangeForEinsum)
}  // namespace mo

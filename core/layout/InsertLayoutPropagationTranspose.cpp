// Before: a tensor in one layout -> nodes that need the other
// After:  the tensor -> one Transpose for all of them -> the nodes
// Conditions: not for inputs and outputs of the model, which PreserveRuntimeInfo handles; but for those of bodies.

#include "core/layout/layout_pass.h"

namespace mo {
namespace {

class InsertLayoutPropagationTranspose final : public LayoutPass {
 public:
  Names run_after() const override { return {"LayoutChangeForEinsum"}; }
  Names run_before() const override { return {"LayoutChangeForConstantShapePaths"}; }
  std::string_view id() const override {
    return "InsertLayoutPropagationTransposes";
  }  // as the documentation spells it

  void find_and_replace_pattern(Graph& graph) override {
    Layouts layouts(graph);
    for (Node* node : graph.nodes())
      for (int i = 0; i < node->in_count(); ++i) {
        const InPort port(node, i);
        if (!is_of_model(*node) && port.source() && !is_of_model(port.source().node()) && layouts.disagree(port))
          port.connect(layouts.turned(port.source()));
      }
  }

 private:
  static bool is_of_model(const Node& node) { return is_boundary(node) && !node.graph().owner(); }
};

}  // namespace
MO_DEFINE_TRANSFORM(InsertLayoutPropagationTranspose)
}  // namespace mo

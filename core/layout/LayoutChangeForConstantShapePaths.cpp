// Before: tensor in NCHW -> ShapeOf -> nodes that compute with shapes in the framework's layout
// After:  tensor in NCHW -> ShapeOf -> Gather [0, 2, …, 1] -> these nodes
// Conditions: a node in NCHW that reads a shape converts it by its own layout rules.

#include "core/layout/layout_pass.h"

namespace mo {
namespace {

class LayoutChangeForConstantShapePaths final : public LayoutPass {
 public:
  Names run_after() const override { return {"InsertLayoutPropagationTranspose"}; }
  Names run_before() const override { return {"ApplyNHWCtoNCHWpermutation"}; }

  void find_and_replace_pattern(Graph& graph) override {
    Layouts layouts(graph);
    for (Node* node : graph.nodes("ShapeOf")) {
      const OutPort source = node->source(0);
      if (layouts.layout_of(source) != End::Nchw) continue;
      const Connection readers = OutPort(*node).connection();
      Builder b(*node);
      const OutPort order = b.i64(nchw_to_nhwc(source.tensor().shape.dimensions().size()).perm);
      const OutPort gather = b.gather(*node, order, 0);
      gather.node().set_name(graph.unique_name(cat(node->name(), "/GatherNCHWtoNHWC")));
      for (const InPort& port : readers.destinations()) port.connect(gather);
      gather.tensor().names = std::exchange(OutPort(*node).tensor().names, {});
      node->require_shape_inference();
    }
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(LayoutChangeForConstantShapePaths)
}  // namespace mo

// Before: Parameter -> nodes in NCHW;               node in NCHW -> Result
// After:  Parameter -> Transpose -> nodes in NCHW;  node in NCHW -> Transpose -> Result
// Conditions: for the model, not for bodies: inputs and outputs keep the framework's layout. The Transpose before a
// Result gets the name of the node there, which is renamed to "<name>/prev".

#include "core/base/text.h"
#include "core/layout/layout_pass.h"

namespace mo {
namespace {

class PreserveRuntimeInfo final : public LayoutPass {
 public:
  Names run_after() const override { return {"MergeNodesPermutations"}; }
  Names run_before() const override { return {"ApplyPermutation"}; }
  bool run_not_recursively() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    Layouts layouts(graph);
    for (Node* parameter : graph.parameters) turn_input(layouts, *parameter);
    for (Node* result : graph.results) turn_output(layouts, *result);
  }

 private:
  static void turn_input(Layouts& layouts, Node& parameter) {
    if (parameter.out_count() == 0) return;
    const OutPort out = parameter.out();
    for (const InPort& port : out.destinations()) {
      if (layouts.layout_at(port) != End::Nchw || layouts.standing(port.node()) == Standing::Turning) continue;
      const OutPort turn = layouts.turned(out);
      const Ints order = nhwc_to_nchw(out.tensor().shape.dimensions().size()).perm;
      const std::string name = cat(parameter.name(), "/Transpose([", join(order, std::string_view(" ")), "])");
      if (turn.node().name() != name) turn.node().set_name(parameter.graph().unique_name(name));
      port.connect(turn);
    }
  }

  static void turn_output(Layouts& layouts, Node& result) {
    const OutPort source = result.source(0);
    if (!source || layouts.layout_of(source) != End::Nchw) return;
    const OutPort turn = layouts.turned(source);
    result.in(0).connect(turn);
    Graph& graph = result.graph();
    const std::string name = source.node().name(), before = cat(name, "/prev");
    if (source.index() == 0 && turn.node().name() == cat(name, "/Transpose") && !graph.has_name(before))
      graph.rename_nodes({{&source.node(), before}, {&turn.node(), name}});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(PreserveRuntimeInfo)
}  // namespace mo

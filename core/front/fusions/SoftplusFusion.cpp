// Before: Log(Exp(x) + 1)
// After:  SoftPlus(x)
// Conditions: the 1 is a constant of one element that does not change the shape; the sum may have either order.

#include "core/front/common/operands.h"
#include "core/rewrite/front_replacement.h"

namespace mo {
namespace {

class SoftplusFusion final : public FrontReplacementSubgraph {
 public:
  Names run_before() const override { return {"MishFusion", "FrontFinish"}; }

  Pattern pattern() override {
    return {.nodes = {{"exp", {{"op", "Exp"}}}, {"add", {{"op", "Add"}}}, {"log", {{"op", "Log"}}}},
            .edges = {{"exp", "add"}, {"add", "log"}}};
  }

  void replace_sub_graph(Graph& graph, const Match& match) override {
    Node &exp = match.op("exp"), &add = match.op("add");
    const OutPort one = add.source(add.source(0) == OutPort(exp) ? 1 : 0), x = exp.source(0);
    if (!x || number_beside(one, x) != 1.0) return;
    take_place_of(match.op("log"), add_fused(graph, "SoftPlus", {x}));
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(SoftplusFusion)
}  // namespace mo

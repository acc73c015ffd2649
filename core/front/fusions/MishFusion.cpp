// Before: x * Tanh(SoftPlus(x))
// After:  Mish(x)
// Conditions: Mul and SoftPlus have the same input; the product may have either order.

#include "core/front/common/operands.h"
#include "core/rewrite/front_replacement.h"

namespace mo {
namespace {

class MishFusion final : public FrontReplacementSubgraph {
 public:
  Names run_after() const override { return {"FrontStart", "SoftplusFusion"}; }

  Pattern pattern() override {
    return {.nodes = {{"mul", {{"op", "Mul"}}}, {"tanh", {{"op", "Tanh"}}}, {"softplus", {{"op", "SoftPlus"}}}},
            .edges = {{"softplus", "tanh"}, {"tanh", "mul"}}};
  }

  void replace_sub_graph(Graph& graph, const Match& match) override {
    Node &mul = match.op("mul"), &tanh = match.op("tanh");
    const OutPort x = mul.source(mul.source(0) == OutPort(tanh) ? 1 : 0);
    if (!x || x != match.op("softplus").source(0)) return;
    take_place_of(mul, add_fused(graph, "Mish", {x}));
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(MishFusion)
}  // namespace mo

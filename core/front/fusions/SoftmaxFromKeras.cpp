// Before: e = Exp(x - ReduceMax(x)); e / ReduceSum(e)
// After:  SoftMax(x) {axis}
// Conditions: both reductions are over the same single constant axis and keep dimensions.

#include "core/front/common/operands.h"
#include "core/rewrite/front_replacement.h"

namespace mo {
namespace {

class SoftmaxFromKeras final : public FrontReplacementSubgraph {
 public:
  Names run_after() const override { return {"FrontStart", "ReduceAxisNormalizer"}; }

  Pattern pattern() override {
    return {.nodes = {{"max", {{"op", "ReduceMax"}}},
                      {"sub", {{"op", "Sub"}}},
                      {"exp", {{"op", "Exp"}}},
                      {"sum", {{"op", "ReduceSum"}}},
                      {"div", {{"op", "Div"}}}},
            .edges = {{"max", "sub", 1}, {"sub", "exp"}, {"exp", "sum", 0}, {"exp", "div", 0}, {"sum", "div", 1}}};
  }

  void replace_sub_graph(Graph& graph, const Match& match) override {
    const Node& max = match.op("max");
    const OutPort x = match.op("sub").source(0);
    const auto axes = kept_reduction_axes(max);
    if (!x || x != max.source(0) || !axes || axes->size() != 1 || axes != kept_reduction_axes(match.op("sum"))) return;
    take_place_of(match.op("div"), add_fused(graph, "SoftMax", {x}, {{"axis", (*axes)[0]}}));
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(SoftmaxFromKeras)
}  // namespace mo

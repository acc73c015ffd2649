// Before: NoOp -> Result
// After:  nothing
// Conditions: none. A NoOp gives no tensor; it became an output only because nothing uses it.

#include "core/rewrite/front_replacement.h"

namespace mo {
namespace {

class NoOpEraser final : public FrontReplacementPattern {
 public:
  Pattern pattern() override {
    return {.nodes = {{"noop", {{"op", "NoOp"}}}, {"output", {{"op", "Result"}}}}, .edges = {{"noop", "output"}}};
  }

  void replace_pattern(Graph& graph, const Match& match) override {
    graph.remove(match.op("output"));
    graph.remove(match.op("noop"));
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(NoOpEraser)
}  // namespace mo

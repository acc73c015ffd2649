// Before: a Const that nothing uses
// After:  nothing
// Conditions: it has no control edges. A Const that is an output of the model counts as used.

#include "core/rewrite/front_replacement.h"

namespace mo {
namespace {

class StandaloneConstEraser final : public FrontReplacementPattern {
 public:
  Pattern pattern() override { return {.nodes = {{"const", {{"op", "Const"}}}}, .edges = {}}; }

  void replace_pattern(Graph& graph, const Match& match) override {
    Node& node = match.op("const");
    if (!node.is_read() && !node.has_control_flow()) graph.remove(node);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(StandaloneConstEraser)
}  // namespace mo

// Before: y = PReLU(x, slope)
// After:  y = Select(x < 0, x * slope, x)
// Conditions: the slope is computed, and a size of x or of the slope is open. A runtime joins the PReLU with the
// operation that gives the slope, takes the slope for x, and x for the slope.

#include "core/back/constant_operands.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class PReLUOfComputedSlope final : public BackReplacementPattern {
 public:
  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes("PReLU")) {
      const OutPort x = node->source(0), slope = node->source(1);
      if (!x || !slope || is_constant(slope) || slope.node().op() == "Parameter") continue;
      const PartialShape &shape = x.tensor().shape, &slopes = slope.tensor().shape;
      if (shape.is_static() && slopes.is_static()) continue;
      // One dimension may be that of the channels; runtimes join no such slope.
      if (!slopes.has_rank() || (slopes.rank() == 1 && shape.rank() != 1)) continue;
      Builder b(*node);
      const OutPort is_negative = b.op("Less", {x, b.scalar_like(x, 0)});
      const OutPort scaled = b.op("Mul", {x, slope});
      graph.replace(*node, b.node("Select", {is_negative, scaled, x}));
    }
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(PReLUOfComputedSlope)
}  // namespace mo

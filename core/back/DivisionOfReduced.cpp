// Before: z = Div(y, c) or Div(c, y), of integers, where y is computed from a reduction and constants
// After:  z = Div(Maximum(y, y), c), Div(c, Maximum(y, y))
// Conditions: c is a constant. A runtime joins the division with the reduction, and rounds to the nearest; of c / y it
// computes y / c.

#include "core/back/constant_operands.h"
#include "core/back/copied.h"
#include "core/base/text.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class DivisionOfReduced final : public BackReplacementPattern {
 public:
  Names run_after() const override { return {"ReshapeOfReduced"}; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes("Div")) {
      if (!is_integer(node->out(0).tensor().type)) continue;
      for (int i = 0; i < 2; ++i) {
        const OutPort y = node->source(i);
        if (is_constant(node->source(1 - i)) && is_reduced(y)) node->in(i).connect(copied(Builder(*node), y));
      }
    }
  }

 private:
  static constexpr int kMostSteps = 16;

  static bool is_reduced(OutPort y) {
    for (int step = 0; y && step < kMostSteps; ++step) {
      const Node& node = y.node();
      if (node.op().starts_with("Reduce")) return true;
      const int data = data_input(node);
      if (moves_numbers(node) ||
          is_one_of(node.op(), {"Cast", "Gather", "Slice", "StridedSlice", "Concat", "Broadcast", "Tile"}))
        y = node.source(0);
      else if (joins_constants(node, data))
        y = node.source(data);
      else
        return false;
    }
    return false;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DivisionOfReduced)
}  // namespace mo

// Before: y = Cast(x) {dst_type: boolean}
// After:  y = NotEqual(x, 0)
// Conditions: x is a number of known type, from an operation with several outputs; operations that give it another
// shape or order may be between them. A runtime does not compile the Cast of what TopK, VariadicSplit and LSTMSequence
// give, and takes output 0 of a TensorIterator for any other.

#include "core/back/constant_operands.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class BooleanOfOutput final : public BackReplacementPattern {
 public:
  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes("Cast")) {
      const OutPort x = node->source(0);
      if (!x || node->out(0).tensor().type != ElementType::Bool || !is_of_several(x)) continue;
      const ElementType type = x.tensor().type;
      if (!is_float(type) && !is_integer(type)) continue;
      Builder b(*node);
      const OutPort zero = b.scalar_like(x, 0);
      graph.replace(*node, b.node("NotEqual", {x, zero}));
    }
  }

 private:
  /// More of them in a row are joined before.
  static constexpr int kMostMoves = 8;

  static bool is_of_several(OutPort x) {
    for (int i = 0; i < kMostMoves && moves_numbers(x.node()) && x.node().source(0); ++i) x = x.node().source(0);
    return x.node().out_count() > 1;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(BooleanOfOutput)
}  // namespace mo

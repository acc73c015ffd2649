// Before: z = Pad(y, begin, end, number), where y is a list behind FakeQuantize
// After:  z = Pad(Maximum(y, y), begin, end, number)
// Conditions: y has one dimension, and the number is not 0. A runtime that computes in bytes puts 0 there, or does not
// compile where no byte stands for the number.

#include "core/back/constant_operands.h"
#include "core/back/copied.h"
#include "core/decompose/math/constants.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class PadOfQuantisedList final : public BackReplacementPattern {
 public:
  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes("Pad")) {
      const OutPort y = node->source(0);
      if (!y || y.tensor().shape.rank() != 1 || !node->has_in(3) || !is_float(y.tensor().type)) continue;
      Builder b(*node);
      if (known_number(b, node->source(3)) == 0 || !quantisation_of(y)) continue;
      node->in(0).connect(copied(b, y));
    }
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(PadOfQuantisedList)
}  // namespace mo

// Before: a, b -> Complex -> Real or Imag -> y
// After:  a or b -> y
// Conditions: a and b have one shape, as frameworks demand.

#include "core/rewrite/front_replacement.h"

namespace mo {
namespace {

class ComplexPartsEraser final : public FrontReplacementPattern {
 public:
  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes_of({"Real", "Imag"}))
      if (const OutPort pair = node->source(0); pair && pair.node().op() == "Complex")
        if (const OutPort part = pair.node().source(node->op() == "Imag"))
          node->out(0).connection().set_source(part, TensorNames::Dest);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(ComplexPartsEraser)
}  // namespace mo

// Before: x * 0.5 * (1 + Erf(x / √2))
// After:  Gelu(x) {approximation_mode: ERF}
// Conditions: the numbers are constants of one element, compared with f16's precision; operands of sums and products
// may have any order; the argument of Erf may be x * √½.

#include <cmath>

#include "core/front/common/operands.h"
#include "core/rewrite/front_replacement.h"

namespace mo {
namespace {

class GeLUMergerErf final : public FrontReplacementPattern {
 public:
  void find_and_replace_pattern(Graph& graph) override {
    for (Node* erf : graph.nodes("Erf")) {
      const OutPort argument = erf->source(0);
      if (!argument) continue;
      for (const InPort& use : OutPort(*erf).destinations()) {
        if (use.node().op() != "Add" || use.node().in_count() != 2) continue;
        if (number_beside(other_operand(use), argument) != 1.0) continue;
        for (const Product& product : products_of(use.node(), 0.5)) {
          const auto scaled = polynomial_of(argument, product.x);
          if (!scaled || !is_close(*scaled, {0, std::sqrt(0.5), 0, 0})) continue;
          take_place_of(*product.node, add_fused(graph, "Gelu", {product.x}, {{"approximation_mode", "ERF"}}));
        }
      }
    }
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(GeLUMergerErf)
}  // namespace mo

// Before: x * 0.5 * (1 + Tanh(√(2/π) * (x + 0.044715 * x³)))
// After:  Gelu(x) {approximation_mode: TANH}
// Conditions: the numbers are constants of one element, compared with f16's precision; the argument of Tanh is that
// polynomial of x in any form; operands of sums and products may have any order.

#include <cmath>

#include "core/front/common/operands.h"
#include "core/rewrite/front_replacement.h"

namespace mo {
namespace {

class GeLUMergerTanh final : public FrontReplacementPattern {
 public:
  void find_and_replace_pattern(Graph& graph) override {
    constexpr double kPi = 3.14159265358979323846;
    const double scale = std::sqrt(2 / kPi);
    for (Node* tanh : graph.nodes("Tanh")) {
      const OutPort argument = tanh->source(0);
      if (!argument) continue;
      for (const InPort& use : OutPort(*tanh).destinations()) {
        if (use.node().op() != "Add" || use.node().in_count() != 2) continue;
        if (number_beside(other_operand(use), argument) != 1.0) continue;
        for (const Product& product : products_of(use.node(), 0.5)) {
          const auto inner = polynomial_of(argument, product.x);
          if (!inner || !is_close((*inner)[3], scale * 0.044715) || !is_close((*inner)[1], scale)) continue;
          if ((*inner)[0] != 0 || (*inner)[2] != 0) continue;
          take_place_of(*product.node, add_fused(graph, "Gelu", {product.x}, {{"approximation_mode", "TANH"}}));
        }
      }
    }
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(GeLUMergerTanh)
}  // namespace mo

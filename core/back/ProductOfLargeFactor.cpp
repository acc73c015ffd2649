// Before: y = (x + a) * c + d, or x * c + a + d
// After:  y = Maximum((x + a) * c, -inf) + d, Maximum(x * c + a, -inf) + d; so with differences
// Conditions: a, c and d are constants; a and c are one number each, and a * c, or a, is large. A runtime adds d to
// that number first, beside which it is lost: so it is in the mask of attention with a bias, (1 - mask) * -3.4e38 +
// bias.

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/back/constant_operands.h"
#include "core/decompose/math/constants.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

// Beside it a number of f32 keeps one decimal.
constexpr double kLarge = 1e6;
constexpr const char* kSums[] = {"Add", "Sub"};

class ProductOfLargeFactor final : public BackReplacementPattern {
 public:
  void find_and_replace_pattern(Graph& graph) override {
    for (const char* op : kSums)
      for (Node* node : graph.nodes(op))
        for (int i = 0; i < 2; ++i) {
          const OutPort product = node->source(i);
          if (!is_constant(node->source(1 - i)) || !is_float(product.tensor().type)) continue;
          Builder b(*node);
          if (!is_large(b, product)) continue;
          const OutPort least = b.scalar_like(product, -std::numeric_limits<double>::infinity());
          node->in(i).connect(b.op("Maximum", {product, least}));
        }
  }

 private:
  /// Whether this is (x + a) * c or x + a with such numbers.
  static bool is_large(Builder& b, OutPort x) {
    if (is_sum(x)) return largest_term(b, x) >= kLarge;
    if (x.node().op() != "Mul") return false;
    for (int i = 0; i < 2; ++i) {
      const OutPort sum = x.node().source(i), factor = x.node().source(1 - i);
      if (!is_sum(sum) || !is_constant(factor)) continue;
      if (std::abs(known_number(b, factor).value_or(0)) * largest_term(b, sum) >= kLarge) return true;
    }
    return false;
  }

  static bool is_sum(OutPort x) { return x.node().op() == kSums[0] || x.node().op() == kSums[1]; }

  /// The size of the number that a sum adds; 0 if it adds none.
  static double largest_term(Builder& b, OutPort sum) {
    double largest = 0;
    for (int i = 0; i < 2; ++i)
      if (const OutPort term = sum.node().source(i); is_constant(term))
        largest = std::max(largest, std::abs(known_number(b, term).value_or(0)));
    return largest;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(ProductOfLargeFactor)
}  // namespace mo

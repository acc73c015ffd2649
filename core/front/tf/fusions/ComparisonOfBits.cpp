// Before: Less(b ^ sign(b), c ^ sign(c)), b and c the BitCasts of x and y to integers, sign(b) the sign spread over all
//         bits but the first: the total order of floating-point numbers, as JAX compares them where it searches
// After:  Less(x, y)
// Conditions: also LessEqual, Greater, GreaterEqual, Equal and NotEqual; shifts are by constants. NaNs have no place in
//         the new order.

#include "core/graph/body.h"
#include "core/rewrite/front_replacement.h"

namespace mo {
namespace {

class ComparisonOfBits final : public FrontReplacementPattern {
 public:
  void find_and_replace_pattern(Graph& graph) override {
    for (const char* op : {"Less", "LessEqual", "Greater", "GreaterEqual", "Equal", "NotEqual"})
      for (Node* node : graph.nodes(op)) {
        if (node->in_count() != 2) continue;
        const OutPort x = number_of_bits(node->source(0)), y = number_of_bits(node->source(1));
        if (!x || !y) continue;
        node->in(0).connect(x);
        node->in(1).connect(y);
      }
  }

 private:
  static constexpr int kMostShifts = 8;

  /// The x of BitCast(x) ^ its sign; empty for others.
  static OutPort number_of_bits(OutPort port) {
    port = behind_identities(port);
    if (!port || port.node().op() != "BitwiseXor" || port.node().in_count() != 2) return {};
    const OutPort bits = behind_identities(port.node().source(0));
    if (!bits || bits.node().op() != "BitCast") return {};
    OutPort sign = behind_identities(port.node().source(1));
    int shifts = 0;
    for (int i = 0; sign && sign != bits; ++i) {
      const Node& node = sign.node();
      const bool shifted = node.op() == "BitwiseRightShift";
      const OutPort by = shifted ? behind_identities(node.source(1)) : OutPort();
      if (i == kMostShifts || (shifted ? !by || by.node().op() != "Const" : node.op() != "BitCast")) return {};
      shifts += shifted;
      sign = behind_identities(node.source(0));
    }
    return sign && shifts == 2 ? bits.node().source(0) : OutPort();
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(ComparisonOfBits)
}  // namespace mo

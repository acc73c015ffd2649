// Before: x * Sigmoid(x), x * Sigmoid(beta * x), x / (1 + Exp(-x)), x / (1 + Exp(-(beta * x)))
// After:  Swish(x), Swish(x, beta)
// Conditions: beta is 1 or a constant of one element; sums and products may have either order.

#include "core/front/common/operands.h"
#include "core/rewrite/front_replacement.h"

namespace mo {
namespace {

class SwishFusion final : public FrontReplacementPattern {
 public:
  void find_and_replace_pattern(Graph& graph) override {
    for (Node* sigmoid : graph.nodes("Sigmoid"))
      for (const InPort& use : OutPort(*sigmoid).destinations())
        if (use.node().op() == "Mul" && use.node().in_count() == 2)
          fuse(use.node(), other_operand(use), sigmoid->source(0), 1);
    for (Node* exp : graph.nodes("Exp")) fuse_exponential(*exp);
  }

 private:
  static void fuse_exponential(Node& exp) {
    const OutPort negative = exp.source(0);
    if (!negative) return;
    for (const InPort& use : OutPort(exp).destinations()) {
      Node& add = use.node();
      if (add.op() != "Add" || add.in_count() != 2 || number_beside(other_operand(use), negative) != 1.0) continue;
      for (const InPort& next : OutPort(add).destinations()) {
        if (next.node().op() != "Div" || next.index() != 1) continue;
        const bool negates = negative.node().op() == "Negative";
        fuse(next.node(), next.node().source(0), negates ? negative.node().source(0) : negative, negates ? 1 : -1);
      }
    }
  }

  /// `product` is x times the sigmoid of sign * of.
  static void fuse(Node& product, OutPort x, OutPort of, double sign) {
    if (!x || !of || x.node().op() == "Const") return;
    const auto argument = polynomial_of(of, x);
    if (!argument || (*argument)[0] != 0 || (*argument)[2] != 0 || (*argument)[3] != 0) return;
    const double beta = (*argument)[1] * sign;
    if (!(of == x) && of.node().op() != "Mul" && of.node().op() != "Div") return;
    Graph& graph = product.graph();
    std::vector<OutPort> inputs{x};
    if (beta != 1) {
      const ElementType type = of == x ? ElementType::Unknown : type_of_number(of.node());
      if (type == ElementType::Unknown) return;
      inputs.push_back(graph.constant(make_scalar(type, beta), product.name() + "/beta"));
    }
    take_place_of(product, add_fused(graph, "Swish", inputs));
  }

  /// beta has the type of x, which is the type of the number that x is multiplied with in `node`.
  static ElementType type_of_number(const Node& node) {
    for (int i = 0; i < node.in_count(); ++i)
      if (const OutPort source = node.source(i); source && source.node().op() == "Const")
        if (const Constant* value = source.node().get_constant("value")) return value->type;
    return ElementType::Unknown;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(SwishFusion)
}  // namespace mo

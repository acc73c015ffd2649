// Before: x / Sqrt(Maximum(ReduceSum(x^2), eps)), x / Sqrt(ReduceSum(x^2) + eps), x / Maximum(ReduceL2(x), eps)
// After:  NormalizeL2(x, axes) {eps, eps_mode: max | add}; in the third form eps is squared
// Conditions: f32; axes and eps are constants, eps is one positive number; the dimensions are kept. The root may be
// Power(…, 0.5), the maximum a Clamp without upper bound. The divisor may be broadcast to the shape of x, or inverted
// first.

#include <cmath>

#include "core/rewrite/middle_replacement.h"

namespace mo {
namespace {

class L2NormToNorm final : public MiddleReplacementPattern {
 public:
  Names run_after() const override { return {"PreMiddleStart", "RemoveIdentity"}; }
  Names run_before() const override { return {"MiddleStart"}; }
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes("Div")) replace(*node, node->source(0), node->source(1));
    for (Node* node : graph.nodes("Mul")) {
      if (node->in_count() != 2) continue;
      for (int i = 0; i < 2 && !node->removed(); ++i) {
        const OutPort inverse = node->source(i);
        if (!inverse || inverse.node().op() != "Div" || number(inverse.node().source(0)) != 1.0) continue;
        replace(*node, node->source(1 - i), inverse.node().source(1));
      }
    }
  }

 private:
  struct Floor {
    OutPort of;
    double eps = 0;
  };

  static void replace(Node& quotient, OutPort x, OutPort divisor) {
    if (!x || !divisor || x.tensor().type != ElementType::F32 || !x.tensor().shape.has_rank()) return;
    if (divisor.node().op() == "Broadcast") {
      const OutPort target = divisor.node().source(1);
      if (!target || target.node().op() != "ShapeOf" || !(target.node().source(0) == x)) return;
      divisor = divisor.node().source(0);
    }
    std::string mode = "max";
    Floor floor;
    OutPort sum;
    if (const OutPort inner = under_root(divisor)) {
      floor = maximum(inner);
      if (!floor.of) floor = plus(inner), mode = "add";
      sum = floor.of;
    } else if (floor = maximum(divisor); floor.of) {
      sum = floor.of.node().op() == "ReduceL2" ? floor.of : under_root(floor.of);
      floor.eps *= floor.eps;
    }
    if (!sum || !(static_cast<float>(floor.eps) > 0) || !is_sum_of_squares(sum.node(), x)) return;
    if (quotient.out(0).tensor().shape.rank() != x.tensor().shape.rank()) return;
    Builder b(quotient);
    Node& normalize = b.node("NormalizeL2", {x, sum.node().source(1)}, {{"eps", floor.eps}, {"eps_mode", mode}});
    quotient.graph().replace(quotient, normalize);
  }

  static std::optional<double> number(OutPort port) {
    if (!port || !port.tensor().value || port.tensor().from_shape || port.tensor().value->elements() != 1)
      return std::nullopt;
    const auto numbers = read_doubles(*port.tensor().value, port.node().graph().files(), 1);
    return numbers ? std::optional<double>((*numbers)[0]) : std::nullopt;
  }

  static OutPort under_root(OutPort port) {
    const Node& node = port.node();
    const bool is_root = node.op() == "Sqrt" || (node.op() == "Pow" && number(node.source(1)) == 0.5);
    return is_root ? node.source(0) : OutPort();
  }

  static Floor either_order(const Node& node) {
    for (int i = 0; i < 2; ++i)
      if (const auto eps = number(node.source(1 - i)); eps && node.has_in(i)) return {node.source(i), *eps};
    return {};
  }
  static Floor plus(OutPort port) { return port.node().op() == "Add" ? either_order(port.node()) : Floor(); }
  static Floor maximum(OutPort port) {
    const Node& node = port.node();
    if (node.op() == "Maximum") return either_order(node);
    constexpr double kMost = 3.4e38;
    const bool has_floor = (node.op() == "Clamp" || node.op() == "AttributedClamp") && node.has("min");
    return has_floor && node.get_float("max", HUGE_VAL) >= kMost ? Floor{node.source(0), node.get_float("min")}
                                                                 : Floor();
  }

  static bool is_sum_of_squares(const Node& sum, OutPort x) {
    const OutPort axes = sum.source(1);
    if (!axes || !axes.tensor().ints || !axes.tensor().ints->is_exact() || axes.tensor().from_shape ||
        axes.tensor().ints->elements.empty() || !sum.get_bool("keep_dims"))
      return false;
    const OutPort inner = sum.source(0);
    if (sum.op() == "ReduceL2") return inner == x;
    if (sum.op() != "ReduceSum" || !inner || !(inner.node().source(0) == x)) return false;
    const Node& square = inner.node();
    return (square.op() == "Mul" && square.source(1) == x) || (square.op() == "Pow" && number(square.source(1)) == 2.0);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(L2NormToNorm)
}  // namespace mo

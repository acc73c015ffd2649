// Before: d = x - ReduceMean(x); d / Sqrt(ReduceMean(d^2) + eps), the root also as Pow(…, 0.5)
// After:  MVN(x, axes) {eps, normalize_variance: true, eps_mode: inside_sqrt}; a following factor and summand stay
// Conditions: both means are over the same constant axes and keep dimensions; eps is a constant of one element; d^2 is
// Pow or Mul, and d may be computed twice.

#include "core/front/common/operands.h"
#include "core/rewrite/front_replacement.h"

namespace mo {
namespace {

class LayerNorm final : public FrontReplacementPattern {
 public:
  void find_and_replace_pattern(Graph& graph) override {
    for (Node* div : graph.nodes("Div")) replace(graph, *div);
  }

 private:
  static void replace(Graph& graph, Node& div) {
    const OutPort difference = div.source(0), x = centred(difference);
    if (!x) return;
    const OutPort sum = under_root(div.source(1));
    if (!sum || sum.node().op() != "Add" || sum.node().in_count() != 2) return;
    for (int i = 0; i < 2; ++i) {
      const OutPort variance = sum.node().source(i), number = sum.node().source(1 - i);
      const auto axes = variance_axes(variance, difference, x);
      const auto eps = number_of(number);
      if (!axes || !eps || !(*eps >= 0) || !is_low(number)) continue;
      const OutPort list = graph.constant(make_i64(*axes), div.name() + "/axes");
      take_place_of(div, add_fused(graph, "MVN", {x, list},
                                   {{"eps", *eps}, {"normalize_variance", true}, {"eps_mode", "inside_sqrt"}}));
      return;
    }
  }

  /// The x of x - ReduceMean(x); empty when it is something else.
  static OutPort centred(OutPort difference) {
    if (!difference || difference.node().op() != "Sub" || difference.node().in_count() != 2) return {};
    const OutPort x = difference.node().source(0), mean = difference.node().source(1);
    return x && mean && mean.node().op() == "ReduceMean" && mean.node().source(0) == x ? x : OutPort();
  }

  static OutPort under_root(OutPort root) {
    if (!root) return {};
    const Node& node = root.node();
    const bool is_root =
        node.op() == "Sqrt" || (node.op() == "Pow" && number_of(node.source(1)) == 0.5 && is_low(node.source(1)));
    return is_root ? node.source(0) : OutPort();
  }

  /// The axes of the mean of squares; they must be the axes of the mean.
  static std::optional<Ints> variance_axes(OutPort variance, OutPort difference, OutPort x) {
    if (!variance || variance.node().op() != "ReduceMean") return std::nullopt;
    const OutPort square = variance.node().source(0);
    if (!square || square.node().in_count() != 2) return std::nullopt;
    const Node& node = square.node();
    const OutPort base = node.source(0);
    const bool is_square = (node.op() == "Pow" && number_of(node.source(1)) == 2.0 && is_low(node.source(1))) ||
                           (node.op() == "Mul" && node.source(1) == base);
    if (!is_square || (!(base == difference) && !(centred(base) == x))) return std::nullopt;
    auto axes = kept_reduction_axes(variance.node());
    if (!axes || axes != kept_reduction_axes(difference.node().source(1).node())) return std::nullopt;
    if (!(base == difference) && axes != kept_reduction_axes(base.node().source(1).node())) return std::nullopt;
    return axes;
  }

  /// Since x has axes, it has at least one dimension: a constant of at most one dimension does not change its shape.
  static bool is_low(OutPort number) {
    const Constant* value = number.node().get_constant("value");
    return value && value->shape.size() <= 1;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(LayerNorm)
}  // namespace mo

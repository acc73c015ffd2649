// Before: ReLU(x) - a * ReLU(-x), ReLU(x) + (-a) * ReLU(-x), ReLU(x) + a * -ReLU(-x), ReLU(x) + -a * ReLU(-x)
// After:  PReLU(x, a)
// Conditions: a is a constant with one number, or with several along one axis of x; -x is Negative; operands of sums
// and products may have any order. Without this rewrite the runtime makes a PReLU by itself, and takes numbers along
// the last axis for channels.

#include "core/ops/spatial.h"
#include "core/rewrite/middle_replacement.h"

namespace mo {
namespace {

class PReLUPatternFuse final : public MiddleReplacementPattern {
 public:
  void find_and_replace_pattern(Graph& graph) override {
    for (const char* op : {"Add", "Sub"})
      for (Node* node : graph.nodes(op))
        for (int i = 0; i < (node->op() == "Sub" ? 1 : 2) && !node->removed(); ++i) replace(*node, i);
  }

 private:
  /// The factor of ReLU(-x), and its sign.
  struct Negative {
    OutPort slope;
    double sign = 0;
    OutPort x;
  };

  static void replace(Node& sum, int positive) {
    const OutPort relu = sum.source(positive), product = sum.source(1 - positive);
    if (sum.in_count() != 2 || !relu || !product || relu.node().op() != "ReLU" || product.node().op() != "Mul") return;
    const OutPort x = relu.node().source(0);
    if (!x || !x.tensor().shape.has_rank() || !is_float(x.tensor().type)) return;
    for (int i = 0; i < 2; ++i) {
      Negative found{product.node().source(1 - i), sum.op() == "Sub" ? 1.0 : -1.0, product.node().source(i)};
      if (!found.slope || !found.x) continue;
      strip_negative(found.x, found.sign);
      if (found.x.node().op() != "ReLU" || !(negated(found.x.node().source(0)) == x)) continue;
      strip_negative(found.slope, found.sign);
      Builder b(sum);
      const OutPort slope = slope_for(b, found.slope, found.sign, x);
      if (!slope) continue;
      Node& prelu = b.node("PReLU", {x, slope});
      sum.graph().replace(sum, prelu);
      return;
    }
  }

  static OutPort negated(OutPort port) {
    return port && port.node().op() == "Negative" ? port.node().source(0) : OutPort();
  }
  static void strip_negative(OutPort& port, double& sign) {
    if (const OutPort inner = negated(port)) port = inner, sign = -sign;
  }

  /// sign * slope in IR's form: one number, or several along one axis; empty when it has another shape.
  static OutPort slope_for(Builder& b, OutPort slope, double sign, OutPort x) {
    const auto& value = slope.tensor().value;
    if (!value || slope.tensor().from_shape || value->type != ElementType::F32) return {};
    const size_t rank = x.tensor().shape.dimensions().size();
    if (value->shape.size() > rank) return {};
    std::optional<size_t> axis;
    for (size_t i = 0; i < value->shape.size(); ++i) {
      if (value->shape[i] == 1) continue;
      if (axis) return {};
      axis = rank - value->shape.size() + i;
    }
    const auto numbers = read_doubles(*value, b.graph().files(), 1 << 16);
    if (!numbers || numbers->empty()) return {};
    const auto count = static_cast<int64_t>(numbers->size());
    if (axis && x.tensor().shape[*axis] != Dimension(count)) return {};
    std::vector<float> signed_numbers;
    for (const double v : *numbers) signed_numbers.push_back(static_cast<float>(sign * v));
    // IR reads one dimension as the channels of [N, C, …]. Slopes along another axis need the full rank.
    const bool flat = !axis || (*axis == 1 && channel_axis(b.graph(), rank) == 1);
    Shape shape(flat ? 1 : rank, 1);
    shape[flat ? 0 : *axis] = count;
    return b.constant(make_f32(shape, signed_numbers));
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(PReLUPatternFuse)
}  // namespace mo

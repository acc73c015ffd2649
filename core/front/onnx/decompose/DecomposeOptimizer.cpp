// One training step for n tensors. Inputs: the rate R, the update count T, n tensors X, n gradients G and n of each
// accumulator. Outputs: n updated X and n of each accumulator.
// Before: X', H' = Adagrad(R, T, X, G, H) {decay_factor, epsilon, norm_coefficient}
// After:  H' = H + g * g;  X' = X - R / (1 + T * decay_factor) * g / (Sqrt(H') + epsilon)
// Before: X', V', H' = Adam(R, T, X, G, V, H) {alpha, beta, epsilon, norm_coefficient, norm_coefficient_post}
// After:  V' = alpha * V + (1 - alpha) * g;  H' = beta * H + (1 - beta) * g * g
//         X' = (1 - norm_coefficient_post) * (X - rate * V' / (Sqrt(H') + epsilon))
//         rate = R where T is 0, else R * Sqrt(1 - beta^T) / (1 - alpha^T)
// Before: X', V' = Momentum(R, T, X, G, V) {alpha, beta, mode, norm_coefficient}
// After:  V' = alpha * V + (1 where T is 0, else beta) * g;  X' = X - R * V', or nesterov: X - R * (g + alpha * V')
// In all of them g = norm_coefficient * X + G.
// Conditions: none.

#include "core/decompose/math/constants.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeOptimizer final : public Decomposition {
 public:
  Names ops() const override { return {"Adagrad", "Adam", "Momentum"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const bool adam = node.op() == "Adam";
    const int each = adam ? 4 : 3, tensors = (node.in_count() - 2) / each;
    if (tensors < 1 || node.in_count() != 2 + tensors * each)
      throw Error(Code::MissingInput, msg(node.in_count(), " inputs, want 2 and ", each, " for each tensor"));
    for (int i = 0; i < node.in_count(); ++i) require_input(node, i);
    std::vector<OutPort> updated[3];
    for (int i = 0; i < tensors; ++i) {
      const auto input = [&](int k) { return node.source(2 + k * tensors + i); };
      const Step step{b, node, input(0), regularized(b, node, input(0), input(1))};
      if (adam)
        step.adam(input(2), input(3), updated);
      else if (node.op() == "Adagrad")
        step.adagrad(input(2), updated);
      else
        step.momentum(input(2), updated);
    }
    std::vector<OutPort> outputs;
    for (const auto& kind : updated) outputs.insert(outputs.end(), kind.begin(), kind.end());
    outputs.resize(static_cast<size_t>(node.out_count()));
    return outputs;
  }

 private:
  /// The step of one tensor: x and its gradient g. Terms are passed in braces, which fix the order of evaluation.
  struct Step {
    Builder& b;
    const Node& node;
    OutPort x, g;

    OutPort number(double value) const { return splat_like(b, x, {}, value); }
    OutPort attribute(std::string_view name) const { return number(node.get_float(name)); }
    OutPort add(List<OutPort> terms) const { return b.op("Add", terms); }
    OutPort sub(List<OutPort> terms) const { return b.op("Sub", terms); }
    OutPort mul(List<OutPort> terms) const { return b.op("Mul", terms); }
    OutPort div(List<OutPort> terms) const { return b.op("Div", terms); }
    OutPort rate() const { return convert_like(b, node.source(0), x); }
    OutPort count() const { return convert_like(b, node.source(1), x); }
    OutPort first() const { return b.op("Equal", {count(), number(0)}); }
    OutPort deviation(OutPort squares) const { return add({b.op("Sqrt", {squares}), attribute("epsilon")}); }

    void adagrad(OutPort squares, std::vector<OutPort>* updated) const {
      const OutPort sum = add({squares, mul({g, g})});
      const OutPort decayed = div({rate(), add({number(1), mul({count(), attribute("decay_factor")})})});
      updated[0].push_back(sub({x, div({mul({decayed, g}), deviation(sum)})}));
      updated[1].push_back(sum);
    }

    void adam(OutPort mean, OutPort squares, std::vector<OutPort>* updated) const {
      const auto mixed = [&](OutPort old, OutPort fresh, double part) {
        return add({mul({old, number(part)}), mul({fresh, number(1 - part)})});
      };
      const double alpha = node.get_float("alpha"), beta = node.get_float("beta");
      const OutPort v = mixed(mean, g, alpha), h = mixed(squares, mul({g, g}), beta);
      const auto rest = [&](double part) { return sub({number(1), b.op("Pow", {number(part), count()})}); };
      const OutPort corrected = div({mul({rate(), b.op("Sqrt", {rest(beta)})}), rest(alpha)});
      const OutPort adjusted = b.op("Select", {first(), rate(), corrected});
      const OutPort moved = sub({x, div({mul({adjusted, v}), deviation(h)})});
      const double after = node.get_float("norm_coefficient_post");
      updated[0].push_back(after == 0 ? moved : mul({moved, number(1 - after)}));
      updated[1].push_back(v);
      updated[2].push_back(h);
    }

    void momentum(OutPort momentum, std::vector<OutPort>* updated) const {
      const std::string mode = node.get_string("mode");
      if (mode != "standard" && mode != "nesterov") throw Error(Code::BadAttribute, msg("mode is '", mode, "'"));
      const OutPort factor = b.op("Select", {first(), number(1), attribute("beta")});
      const OutPort v = add({mul({momentum, attribute("alpha")}), mul({g, factor})});
      const OutPort direction = mode == "nesterov" ? add({g, mul({v, attribute("alpha")})}) : v;
      updated[0].push_back(sub({x, mul({rate(), direction})}));
      updated[1].push_back(v);
    }
  };

  static OutPort regularized(Builder& b, const Node& node, OutPort x, OutPort gradient) {
    const double factor = node.get_float("norm_coefficient");
    return factor == 0 ? gradient : b.op("Add", {b.op("Mul", {x, splat_like(b, x, {}, factor)}), gradient});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeOptimizer)
}  // namespace mo

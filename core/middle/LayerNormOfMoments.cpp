// Before: x * s + (b - mean * s);  s = g / sqrt(variance + eps), mean = ReduceMean(x),
//         variance = ReduceMean((x - mean)^2)
// After:  MVN(x, axes) {eps, normalize_variance: true, eps_mode: inside_sqrt} * g + b
// Conditions: both means are over the same constant axes, and keep dimensions or drop the first ones; eps is a constant
// of one number. g and b may be missing; the square is SquaredDifference, Mul or Pow, the root Power(…, -0.5) or 1 /
// Sqrt(…), b - mean * s may be b + (-mean) * s. Keras and TensorFlow compute the normalisation of layers in this way,
// as that of batches.

#include <algorithm>

#include "core/rewrite/middle_replacement.h"

namespace mo {
namespace {

class LayerNormOfMoments final : public MiddleReplacementPattern {
 public:
  Names run_after() const override { return {"PreMiddleStart", "RemoveIdentity"}; }
  Names run_before() const override { return {"MiddleStart"}; }
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes("Add")) replace(*node);
  }

 private:
  struct Moments {
    OutPort x, mean;
    Ints axes;
    double eps = 0;
  };
  struct Scale {
    Moments moments;
    OutPort factor;  ///< empty without one
  };
  /// b of b - mean * s.
  struct Shift {
    OutPort summand;  ///< empty without one
  };

  static void replace(Node& sum) {
    for (int i = 0; i < 2; ++i) {
      const OutPort product = sum.source(i), rest = sum.source(1 - i);
      if (!is_of_two(product, "Mul") || !rest) continue;
      for (int j = 0; j < 2; ++j) {
        const OutPort x = product.node().source(j), s = product.node().source(1 - j);
        const auto scale = scale_of(s, x);
        const auto shift = scale ? shift_of(rest, scale->moments.mean, s) : std::nullopt;
        if (!shift) continue;
        write(sum, *scale, shift->summand);
        return;
      }
    }
  }

  static void write(Node& sum, const Scale& scale, OutPort summand) {
    const Moments& moments = scale.moments;
    Builder b(sum);
    OutPort y = b.op("MVN", {moments.x, b.i64(moments.axes)},
                     {{"eps", moments.eps}, {"normalize_variance", true}, {"eps_mode", "inside_sqrt"}});
    if (scale.factor) y = b.op("Mul", {y, scale.factor});
    if (summand) y = b.op("Add", {y, summand});
    sum.graph().replace(sum, y.node());
  }

  /// s = g / sqrt(variance of x + eps).
  static std::optional<Scale> scale_of(OutPort s, OutPort x) {
    if (!s || !x) return std::nullopt;
    if (const auto moments = moments_under_root(s, x)) return Scale{*moments, {}};
    if (!is_of_two(s, "Mul")) return std::nullopt;
    for (int i = 0; i < 2; ++i)
      if (const auto moments = moments_under_root(s.node().source(i), x))
        return Scale{*moments, s.node().source(1 - i)};
    return std::nullopt;
  }

  static std::optional<Moments> moments_under_root(OutPort inverse, OutPort x) {
    const OutPort sum = inverse ? under_inverse_root(inverse) : OutPort();
    if (!is_of_two(sum, "Add")) return std::nullopt;
    for (int i = 0; i < 2; ++i) {
      const auto eps = number(sum.node().source(1 - i));
      const OutPort variance = sum.node().source(i);
      if (!eps || !(*eps >= 0) || !variance) continue;
      if (const auto mean = mean_of_variance(variance.node(), x)) {
        const auto axes = aligned_axes(variance.node(), x);
        if (axes && axes == aligned_axes(mean->node(), x)) return Moments{x, *mean, *axes, *eps};
      }
    }
    return std::nullopt;
  }

  static OutPort under_inverse_root(OutPort port) {
    const Node& node = port.node();
    if (node.op() == "Pow" && number(node.source(1)) == -0.5) return node.source(0);
    if (!is_of_two(port, "Div") || number(node.source(0)) != 1.0 || !node.has_in(1)) return {};
    const Node& root = node.source(1).node();
    return root.op() == "Sqrt" ? root.source(0) : OutPort();
  }

  /// The mean of x, from the mean of (x - mean)².
  static std::optional<OutPort> mean_of_variance(const Node& variance, OutPort x) {
    const OutPort square = variance.op() == "ReduceMean" ? variance.source(0) : OutPort();
    if (!square) return std::nullopt;
    const Node& node = square.node();
    if (node.op() == "SquaredDifference") return mean_beside(node, x);
    const OutPort base = node.source(0);
    const bool is_square = (is_of_two(square, "Mul") && node.source(1) == base) ||
                           (is_of_two(square, "Pow") && number(node.source(1)) == 2.0);
    return is_square && is_of_two(base, "Sub") ? mean_beside(base.node(), x) : std::nullopt;
  }

  /// The mean of x, if the node has it and x as its inputs.
  static std::optional<OutPort> mean_beside(const Node& node, OutPort x) {
    for (int i = 0; i < 2; ++i) {
      const OutPort mean = node.source(1 - i);
      if (node.source(i) == x && mean && mean.node().op() == "ReduceMean" && mean.node().source(0) == x) return mean;
    }
    return std::nullopt;
  }

  /// The axes of a reduction of x whose result stands beside x where it was computed.
  static std::optional<Ints> aligned_axes(const Node& reduction, OutPort x) {
    const OutPort given = reduction.source(1);
    const int rank = x.tensor().shape.rank();
    auto axes = given && !given.tensor().from_shape ? given.exact_ints() : std::nullopt;
    if (rank < 1 || !axes || axes->empty()) return std::nullopt;
    for (int64_t& axis : *axes) axis = static_cast<int64_t>(normalize_axis(axis, rank));
    std::sort(axes->begin(), axes->end());
    for (size_t i = 0; i < axes->size() && !reduction.get_bool("keep_dims"); ++i)
      if ((*axes)[i] != static_cast<int64_t>(i)) return std::nullopt;
    return axes;
  }

  /// b - mean * s, b + -mean * s, or -mean * s.
  static std::optional<Shift> shift_of(OutPort rest, OutPort mean, OutPort s) {
    if (is_product(rest, mean, s, true)) return Shift{};
    const Node& node = rest.node();
    if (is_of_two(rest, "Sub") && node.has_in(0) && is_product(node.source(1), mean, s, false))
      return Shift{node.source(0)};
    for (int i = 0; i < 2 && is_of_two(rest, "Add"); ++i)
      if (is_product(node.source(i), mean, s, true) && node.has_in(1 - i)) return Shift{node.source(1 - i)};
    return std::nullopt;
  }

  static bool is_product(OutPort product, OutPort mean, OutPort s, bool negative) {
    if (!is_of_two(product, "Mul")) return false;
    for (int i = 0; i < 2; ++i) {
      const OutPort factor = product.node().source(i);
      if (!factor || !(product.node().source(1 - i) == s)) continue;
      if (negative ? factor.node().op() == "Negative" && factor.node().source(0) == mean : factor == mean) return true;
    }
    return false;
  }

  static bool is_of_two(OutPort port, std::string_view op) {
    return port && port.node().op() == op && port.node().in_count() == 2;
  }

  static std::optional<double> number(OutPort port) {
    if (!port || !port.tensor().value || port.tensor().from_shape || port.tensor().value->elements() != 1 ||
        port.tensor().value->shape.size() > 1)
      return std::nullopt;
    const auto numbers = read_doubles(*port.tensor().value, port.node().graph().files(), 1);
    return numbers ? std::optional<double>((*numbers)[0]) : std::nullopt;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(LayerNormOfMoments)
}  // namespace mo

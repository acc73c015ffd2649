// Before → after, each for an input x:
// LeakyReLU {alpha}          → PReLU(x, [alpha]); alpha 0: ReLU(x)
// PRelu(x, slope)            → PReLU(x, slope), with the slope in a shape that IR broadcasts as NumPy does
// Celu {alpha}               → Elu(x / alpha) {alpha: 1} * alpha
// Shrink {lambd, bias}       → Select(x < -lambd, x + bias, Select(x > lambd, x - bias, 0))
// AttributedSelu {alpha, gamma}        → Selu(x, alpha, gamma)
// AttributedHardSigmoid {alpha, beta}  → HardSigmoid(x, alpha, beta)
// AttributedSwish {alpha}              → Swish(x, alpha)
// FastGelu(x, bias), BiasGelu(x, bias) → Gelu(x + bias) {TANH, ERF}
// Conditions: none.

#include "core/decompose/math/constants.h"
#include "core/ops/spatial.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeActivation final : public Decomposition {
 public:
  Names ops() const override {
    return {"LeakyReLU",       "PRelu",    "Celu",    "Shrink", "AttributedSelu", "AttributedHardSigmoid",
            "AttributedSwish", "FastGelu", "BiasGelu"};
  }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const std::string& op = node.op();
    require_input(node, 0);
    const OutPort x = node.source(0);
    const double alpha = node.get_float("alpha");
    if (op == "LeakyReLU") return {alpha == 0 ? b.op("ReLU", {x}) : b.op("PReLU", {x, splat_like(b, x, {1}, alpha)})};
    if (op == "PRelu") return {b.op("PReLU", {x, prelu_slope(b, node)})};
    if (op == "Celu") return {celu(b, x, alpha)};
    if (op == "Shrink") return {shrink(b, x, node.get_float("lambd"), node.get_float("bias"))};
    if (op == "AttributedSelu") return {b.op("Selu", {x, number(b, x, alpha), number(b, x, node.get_float("gamma"))})};
    if (op == "AttributedHardSigmoid")
      return {b.op("HardSigmoid", {x, number(b, x, alpha), number(b, x, node.get_float("beta"))})};
    if (op == "AttributedSwish") return {alpha == 1 ? b.op("Swish", {x}) : b.op("Swish", {x, number(b, x, alpha)})};
    const OutPort sum = node.has_in(1) ? b.op("Add", {x, node.source(1)}) : x;
    return {b.op("Gelu", {sum}, {{"approximation_mode", op == "FastGelu" ? "TANH" : "ERF"}})};
  }

 private:
  static OutPort number(Builder& b, OutPort like, double value) { return splat_like(b, like, {}, value); }

  static OutPort celu(Builder& b, OutPort x, double alpha) {
    if (alpha == 1) return b.op("Elu", {x}, {{"alpha", 1.0}});
    const OutPort elu = b.op("Elu", {b.op("Div", {x, number(b, x, alpha)})}, {{"alpha", 1.0}});
    return b.op("Mul", {elu, number(b, x, alpha)});
  }

  /// Integers are compared as floating point, because a limit may lie between two integers. ONNX's own definition does
  /// not do that.
  static OutPort shrink(Builder& b, OutPort x, double lambd, double bias) {
    const bool integers = is_integer(x.tensor().type);
    const OutPort compared = integers ? b.convert(x, ElementType::F32) : x;
    const OutPort zero = number(b, compared, 0), by = number(b, compared, bias);
    const OutPort above = b.op("Greater", {compared, number(b, compared, lambd)});
    const OutPort upper = b.op("Select", {above, b.op("Sub", {compared, by}), zero});
    const OutPort below = b.op("Less", {compared, number(b, compared, -lambd)});
    const OutPort y = b.op("Select", {below, b.op("Add", {compared, by}), upper});
    return integers ? b.convert(y, x.tensor().type) : y;
  }

  /// The slope in IR's form. IR reads a slope of one dimension as one number per channel; without by_channel the given
  /// slope is for the last dimension.
  static OutPort prelu_slope(Builder& b, const Node& node) {
    require_input(node, 1);
    const OutPort slope = node.source(1);
    const PartialShape &data = node.source(0).tensor().shape, &shape = slope.tensor().shape;
    if (!shape.has_rank()) return slope;
    if (shape.elements() == Interval(1)) return reshaped(b, slope, {1});
    if (!data.has_rank() || shape.rank() > data.rank()) return slope;
    const auto data_rank = static_cast<size_t>(data.rank()), rank = static_cast<size_t>(shape.rank());
    if (rank == 1 && data_rank > 2 && !node.get_bool("by_channel")) {
      Ints added;
      for (size_t i = 0; i + 1 < data_rank; ++i) added.push_back(static_cast<int64_t>(i));
      if (!shape[0].is_exact()) return b.unsqueeze(slope, added);
      Shape full(data_rank, 1);
      full.back() = shape[0].min;
      return reshaped(b, slope, full);
    }
    // A slope of full rank fits every layout; one dimension means axis 1.
    if (channel_axis(node.graph(), data_rank) != 1) return slope;
    const size_t missing = data_rank - rank;
    for (size_t i = 0; i < rank; ++i) {
      const bool is_channel = i + missing == 1;
      if (is_channel ? !shape[i].is_exact() || shape[i] != data[1] : shape[i] != Dimension(1)) return slope;
    }
    return missing > 1 ? slope : reshaped(b, slope, {shape[1 - missing].min});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeActivation)
}  // namespace mo

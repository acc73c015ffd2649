// Before: MatMul(x, [Transpose](Mul([Sub](Convert(W), zero), scale))), W of integers
// After:  MatMul(x, [Transpose](weights of floating point))
// Conditions: W, zero and scale are constants; scale or zero has several numbers along the axis that is summed, and one
// along the others: a runtime takes the numbers as those of another axis. Or W has more than three dimensions, and they
// have several numbers along one of the last two at most: a runtime fails. The weights stay places: a recipe over them.

#include "core/back/constant_operands.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

constexpr uint64_t kMaxRows = 1 << 20;

class WeightsByRow final : public BackReplacementPattern {
 public:
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes("MatMul")) {
      if (!node->has_in(1)) continue;
      InPort at = node->in(1);
      const int rank = node->source(1).tensor().shape.rank();
      if (rank < 2) continue;
      const bool transposed = node->get_bool("transpose_b");
      int summed = transposed ? rank - 1 : rank - 2, other = transposed ? rank - 2 : rank - 1;
      if (Node& above = at.source().node(); above.op() == "Transpose") {
        const auto order = above.source(1).exact_ints();
        if (!order || static_cast<int>(order->size()) != rank) continue;
        summed = static_cast<int>((*order)[static_cast<size_t>(summed)]);
        other = static_cast<int>((*order)[static_cast<size_t>(other)]);
        at = above.in(0);
      }
      auto weights = dequantised(at.source(), static_cast<size_t>(summed), rank > 3, graph.files());
      if (!weights && rank > 3) weights = dequantised(at.source(), static_cast<size_t>(other), true, graph.files());
      if (weights) at.connect(Builder(at.source().node()).constant(*weights));
    }
  }

 private:
  /// The weights at `port` if numbers vary along `axis` alone; those of one number only if `always`.
  static std::optional<Constant> dequantised(OutPort port, size_t axis, bool always, Files& files) {
    const Node& product = port.node();
    if (product.op() != "Mul" || !is_float(port.tensor().type) || !is_constant(product.source(1))) return {};
    OutPort whole = product.source(0);
    OutPort zero;
    if (whole.node().op() == "Sub") {
      zero = whole.node().source(1);
      whole = whole.node().source(0);
    }
    if (whole.node().op() != "Cast") return {};
    const OutPort stored = whole.node().source(0);
    if (!is_constant(stored) || is_float(stored.tensor().type)) return {};
    const Constant& weights = *stored.tensor().value;
    const auto scale = numbers(product.source(1), weights.shape, axis, files);
    const auto shift = zero ? numbers(zero, weights.shape, axis, files) : std::vector<float>{0};
    if (!scale || !shift || (scale->size() == 1 && shift->size() == 1 && !always)) return {};
    const auto count = static_cast<size_t>(weights.shape[axis]);
    std::vector<float> factors(count), summands(count);
    for (size_t i = 0; i < count; ++i) {
      factors[i] = (*scale)[scale->size() == 1 ? 0 : i];
      summands[i] = -(*shift)[shift->size() == 1 ? 0 : i] * factors[i];
    }
    const ElementType type = port.tensor().type;
    // Unpacking of less than a byte takes two recipes; the result may be compressed, which takes another one.
    const int recipes = bits(weights.type) < 8 ? 5 : 3;
    if (weights.content->depth() + recipes > Content::kMaxDepth) return {};
    Constant real = convert(weights, ElementType::F32);
    real = scale_shift(real, axis, std::move(factors), std::move(summands));
    return type == ElementType::F32 ? real : convert(real, type);
  }

  /// One number, or one for each index of `axis` alone.
  static std::optional<std::vector<float>> numbers(OutPort port, const Shape& weights, size_t axis, Files& files) {
    while (port.node().op() == "Cast" && !port.tensor().value) port = port.node().source(0);
    if (!is_constant(port)) return {};
    const Constant& constant = *port.tensor().value;
    const Shape& shape = constant.shape;
    if (shape.size() > weights.size()) return {};
    for (size_t i = 0; i < shape.size(); ++i)
      if (shape[i] != 1 && weights.size() - shape.size() + i != axis) return {};
    const auto read = read_doubles(constant, files, kMaxRows);
    if (!read || (read->size() != 1 && static_cast<int64_t>(read->size()) != weights[axis])) return {};
    return std::vector<float>(read->begin(), read->end());
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(WeightsByRow)
}  // namespace mo

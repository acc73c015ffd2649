// Operations of ONNX Runtime's optimizer, domain com.microsoft.
// Before: y, -, -, sum = SkipLayerNormalization(x, skip, gamma, beta, bias) {epsilon}
//         y, -, -, sum = SkipSimplifiedLayerNormalization(x, skip, gamma, bias) {epsilon}
// After:  sum = x + skip [+ bias];  y = MVN(sum) * gamma [+ beta], or by the root mean square
// Before: y, lengths, sum = EmbedLayerNormalization(ids, segment ids, word, position and segment tables, gamma, beta,
//         mask, position ids) {epsilon}
// After:  sum = the sum of the Gathers;  y as above;  lengths = ReduceSum(mask)
// Conditions: mean and deviation, outputs for training, are not used.

#include <algorithm>

#include "core/decompose/normalization/normalization.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeSkipLayerNormalization final : public Decomposition {
 public:
  Names ops() const override {
    return {"SkipLayerNormalization", "SkipSimplifiedLayerNormalization", "EmbedLayerNormalization"};
  }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    if (node.op() == "EmbedLayerNormalization") return embedded(b, node);
    for (int i = 0; i < 3; ++i) require_input(node, i);
    for (int i = 1; i < 3 && i < node.out_count(); ++i)
      if (!node.out(i).disconnected()) throw Error(Code::UnsupportedForm, "the mean or deviation as an output");
    const bool simplified = node.op() == "SkipSimplifiedLayerNormalization";
    const int bias = simplified ? 3 : 4;
    OutPort sum = b.op("Add", {node.source(0), node.source(1)});
    if (node.has_in(bias)) sum = b.op("Add", {sum, node.source(bias)});
    const double epsilon = node.get_float("epsilon");
    const OutPort y = scaled(b, node, sum, epsilon, simplified, 2, simplified ? -1 : 3);
    const std::vector<OutPort> all{y, {}, {}, sum};
    return {all.begin(), all.begin() + std::min(node.out_count(), 4)};
  }

 private:
  static OutPort scaled(Builder& b, const Node& node, OutPort sum, double epsilon, bool simplified, int gamma,
                        int beta) {
    const OutPort axes = b.i64({-1}), wide = stashed(b, node, sum);
    const OutPort unit =
        simplified ? root_mean_square_normalized(b, wide, axes, epsilon) : normalized(b, wide, axes, epsilon);
    const OutPort y = b.op("Mul", {back_to_type(b, unit, node.source(gamma)), node.source(gamma)});
    return node.has_in(beta) ? b.op("Add", {y, node.source(beta)}) : y;
  }

  static std::vector<OutPort> embedded(Builder& b, Node& node) {
    for (const int i : {0, 2, 3, 5, 6}) require_input(node, i);
    const OutPort ids = node.source(0);
    OutPort positions = node.source(8);
    if (!positions)
      positions = b.op("Range", {b.i64_scalar(0), b.squeeze(b.dims_of(ids, {1}), {0}), b.i64_scalar(1)},
                       {{"output_type", ElementType::I64}});
    OutPort sum = b.op("Add", {b.gather(node.source(2), ids, 0), b.gather(node.source(3), positions, 0)});
    if (node.has_in(4) && node.has_in(1)) sum = b.op("Add", {sum, b.gather(node.source(4), node.source(1), 0)});
    std::vector<OutPort> outputs{scaled(b, node, sum, node.get_float("epsilon"), false, 5, 6)};
    if (node.out_count() > 1)
      outputs.push_back(node.has_in(7)
                            ? b.reduce("ReduceSum", node.source(7), {1}, false)
                            : b.op("Broadcast", {b.constant(make_scalar(ElementType::I32, 0)), b.dims_of(ids, {0})},
                                   {{"mode", "numpy"}}));
    if (node.out_count() > 2) outputs.push_back(sum);
    return outputs;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeSkipLayerNormalization)
}  // namespace mo

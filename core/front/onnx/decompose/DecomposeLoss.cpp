// Before: loss = NegativeLogLikelihoodLoss(input [N, C, d…], target [N, d…] [, weight [C]]) {reduction, ignore_index}
// After:  loss = -GatherElements(input, target) * Gather(weight, target); 0 where the target is ignored
//         reduction sum: ReduceSum(loss)
//         reduction mean: ReduceSum(loss) / ReduceSum(weights of the targets), or ReduceMean(loss)
// Before: loss, log_prob = SoftmaxCrossEntropyLoss(scores, labels [, weights])
// After:  log_prob = LogSoftmax(scores) {axis: 1}; loss as above from log_prob
// Conditions: none.

#include "core/decompose/math/constants.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeLoss final : public Decomposition {
 public:
  Names ops() const override { return {"NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    if (node.op() == "NegativeLogLikelihoodLoss") return {loss(b, node, node.source(0))};
    const OutPort log_prob = b.op("LogSoftmax", {node.source(0)}, {{"axis", int64_t{1}}});
    return {loss(b, node, log_prob), log_prob};
  }

 private:
  static OutPort loss(Builder& b, const Node& node, OutPort log_prob) {
    OutPort target = node.source(1), ignored;
    if (node.has("ignore_index")) {
      const double index = static_cast<double>(node.get_int("ignore_index"));
      ignored = b.op("Equal", {target, splat_like(b, target, {}, index)});
      target = b.op("Select", {ignored, splat_like(b, target, {}, 0), target});
    }
    const OutPort chosen = b.op("GatherElements", {log_prob, b.unsqueeze(target, {1})}, {{"axis", int64_t{1}}});
    OutPort y = b.op("Negative", {b.squeeze(chosen, {1})});
    OutPort weights = node.has_in(2) ? b.gather(node.source(2), target, 0) : OutPort();
    if (weights) y = b.op("Mul", {y, weights});
    const OutPort zero = splat_like(b, log_prob, {}, 0);
    if (ignored) {
      y = b.op("Select", {ignored, zero, y});
      weights = b.op("Select", {ignored, zero, weights ? weights : splat_like(b, log_prob, {}, 1)});
    }
    const std::string reduction = node.get_string("reduction");
    if (reduction == "none") return y;
    if (reduction == "sum") return reduced_to_scalar(b, "ReduceSum", y);
    if (reduction != "mean") throw Error(Code::BadAttribute, msg("reduction is '", reduction, "'"));
    if (!weights) return reduced_to_scalar(b, "ReduceMean", y);
    return b.op("Div", {reduced_to_scalar(b, "ReduceSum", y), reduced_to_scalar(b, "ReduceSum", weights)});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeLoss)
}  // namespace mo

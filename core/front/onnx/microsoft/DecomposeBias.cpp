// Sums that ONNX Runtime fuses with the next operation, domain com.microsoft
// Before → after:
// BiasAdd(x, bias, skip)                       → x + bias + skip
// BiasSplitGelu(x, bias)                       → left * Gelu(right), the halves of x + bias along the last axis
// BiasSoftmax(x, bias) {axis}                  → the softmax of x + bias over all dimensions from the axis on
// y, mask = BiasDropout(x, bias, residual, ratio, training_mode) → x + bias + residual;  mask is true
// Conditions: BiasDropout is not in training.

#include "core/decompose/control/nested.h"
#include "core/decompose/math/constants.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeBias final : public Decomposition {
 public:
  Names ops() const override { return {"BiasAdd", "BiasSplitGelu", "BiasSoftmax", "BiasDropout"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    require_input(node, 0);
    require_input(node, 1);
    const std::string& op = node.op();
    OutPort sum = b.op("Add", {node.source(0), node.source(1)});
    if (op == "BiasSoftmax") return decomposed(b, "SoftMaxONNX", {sum}, {{"axis", node.get_int("axis")}});
    if (op == "BiasSplitGelu") {
      Node& halves = b.node("Split", {sum, b.i64_scalar(-1)}, {{"num_splits", int64_t{2}}}, 2);
      const OutPort gelu = b.op("Gelu", {halves.out(1)}, {{"approximation_mode", "ERF"}});
      return {b.op("Mul", {halves.out(0), gelu})};
    }
    if (node.has_in(2)) sum = b.op("Add", {sum, node.source(2)});
    if (op == "BiasAdd") return {sum};
    if (node.has_in(4) && known_number(b, node.source(4)) != 0.0)
      throw Error(Code::UnsupportedForm, "dropout in training");
    if (node.out_count() < 2) return {sum};
    const OutPort kept = b.constant(make_scalar(ElementType::Bool, 1));
    return {sum, b.op("Broadcast", {kept, b.shape_of(sum)}, {{"mode", "numpy"}})};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeBias)
}  // namespace mo

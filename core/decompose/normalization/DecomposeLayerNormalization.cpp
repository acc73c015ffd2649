// Before: y, mean, inverse = LayerNormalization(x, scale, bias) {axis, epsilon, stash_type}
// After:  y = MVN(x, axes from axis on) * scale + bias; if the other outputs are used, mean and
//         1 / sqrt(variance + epsilon) by ReduceMean, and y from these
// Before: y = RMSNormalization(x, scale) {axis, epsilon, stash_type}
// After:  y = x * (1 / sqrt(mean of x^2 + epsilon)) * scale
// Before: y = MVNOnnx(x) {axes}
// After:  y = MVN(x, axes), with ONNX's 1e-9 added to the deviation
// Conditions: the rank of x is known or axis counts from the end.

#include "core/decompose/normalization/normalization.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeLayerNormalization final : public Decomposition {
 public:
  Names ops() const override { return {"LayerNormalization", "RMSNormalization", "MVNOnnx"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    require_input(node, 0);
    const OutPort x = node.source(0);
    if (node.op() == "MVNOnnx") {
      const OutPort axes = b.i64(node.get_ints("axes", {0, 2, 3}));
      return {b.op("MVN", {x, axes}, {{"eps", 1e-9}, {"normalize_variance", true}, {"eps_mode", "outside_sqrt"}})};
    }
    require_input(node, 1);
    const double epsilon = node.get_float("epsilon");
    const OutPort wide = stashed(b, node, x), axes = axes_from(b, x, node.get_int("axis"));
    std::vector<OutPort> outputs(static_cast<size_t>(node.out_count()));
    if (node.op() == "RMSNormalization") {
      outputs[0] = affine(b, node, root_mean_square_normalized(b, wide, axes, epsilon));
      return outputs;
    }
    if (!node.is_read(1)) {
      outputs[0] = affine(b, node, normalized(b, wide, axes, epsilon));
      return outputs;
    }
    const OutPort mean = b.op("ReduceMean", {wide, axes}, {{"keep_dims", true}});
    const OutPort distance = b.op("Sub", {wide, mean});
    const OutPort variance = b.op("ReduceMean", {b.op("Mul", {distance, distance}), axes}, {{"keep_dims", true}});
    const OutPort deviation = b.op("Sqrt", {b.op("Add", {variance, b.scalar_like(variance, epsilon)})});
    const OutPort inverse = b.op("Div", {b.scalar_like(deviation, 1), deviation});
    const std::vector<OutPort> all{affine(b, node, b.op("Mul", {distance, inverse})), mean, inverse};
    for (size_t i = 0; i < outputs.size() && i < all.size(); ++i) outputs[i] = all[i];
    return outputs;
  }

 private:
  static OutPort affine(Builder& b, const Node& node, OutPort unit) {
    const OutPort scale = node.source(1);
    OutPort y = b.op("Mul", {back_to_type(b, unit, scale), scale});
    if (node.has_in(2)) y = b.op("Add", {y, node.source(2)});
    return y;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeLayerNormalization)
}  // namespace mo

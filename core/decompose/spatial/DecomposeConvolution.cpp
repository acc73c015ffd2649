// Before: y = Conv(x, W, bias) {group, strides, pads…}                       a framework's convolution
// After:  y = Convolution(x, W) {strides, dilations, pads_begin…} [+ bias]
//         y = GroupConvolution(x, W as [G, O/G, I/G, …]) [+ bias]
// Before: y = FusedConv(x, W, bias, z) {activation, activation_params}       ONNX Runtime's
// After:  y = activation(Convolution(x, W) [+ bias] [+ z])
// The data (batch_dims…) and the weights (kernel_spatial_idx…) may have any order of axes; the weights get that of IR.
// Conditions: 1 to 3 spatial dimensions; the activation is Relu, Sigmoid, Tanh, LeakyRelu, Clip or HardSigmoid.

#include "core/decompose/spatial/convolution.h"
#include "core/decompose/spatial/window.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeConvolution final : public Decomposition {
 public:
  Names ops() const override { return {"Conv", "FusedConv"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const SpatialDims dims = data_dims_of(node, 1);
    const auto [weights, group] = ordered_weights(b, node, dims, false);
    check_kernel(node, weights.tensor().shape);
    SpatialWindow window(node, dims.spatial.size());
    const PartialShape &data = node.source(0).tensor().shape, &shape = weights.tensor().shape;
    if (data.has_rank() && shape.has_rank())
      window.pad_known_sizes(spatial_sizes(data, dims), {shape.dimensions().begin() + 2, shape.dimensions().end()});
    const Attributes attributes = window_attributes(node, window);
    OutPort y = group == 1 ? b.op("Convolution", {node.source(0), weights}, attributes)
                           : b.op("GroupConvolution", {node.source(0), grouped_weights(b, weights, group)}, attributes);
    if (node.has_in(2)) y = add_bias(b, y, node.source(2), dims);
    if (node.op() == "Conv") return {y};
    if (node.has_in(3)) y = b.op("Add", {y, node.source(3)});
    return {activated(b, node, y)};
  }

 private:
  static void check_kernel(const Node& node, const PartialShape& weights) {
    const Ints kernel = node.get_ints("kernel_shape");
    for (size_t i = 0; i < kernel.size() && weights.has_rank() && i + 2 < weights.dimensions().size(); ++i)
      if (!intersect(weights[i + 2], kernel[i]))
        throw Error(Code::ShapeMismatch,
                    msg("kernel_shape has ", kernel[i], ", the weights are [", to_string(weights), "]"));
  }

  static OutPort activated(Builder& b, const Node& node, OutPort y) {
    const std::string name = node.get_string("activation");
    const Doubles params = node.get_floats("activation_params");
    const auto param = [&](size_t i, double otherwise) { return i < params.size() ? params[i] : otherwise; };
    if (name.empty()) return y;
    if (name == "Relu") return b.op("ReLU", {y});
    if (name == "Sigmoid" || name == "Tanh") return b.op(name.c_str(), {y});
    if (name == "LeakyRelu") return b.op("PReLU", {y, b.scalar_like(y, param(0, 0.01))});
    if (name == "Clip")
      return b.op("AttributedClamp", {y}, {{"min", param(0, -3.402823466e38)}, {"max", param(1, 3.402823466e38)}});
    if (name == "HardSigmoid")
      return b.op("HardSigmoid", {y, b.scalar_like(y, param(0, 0.2)), b.scalar_like(y, param(1, 0.5))});
    throw Error(Code::UnsupportedForm, msg("the activation ", name, " of a convolution"));
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeConvolution)
}  // namespace mo

// Before: y = Convolution(x, W, bias) {group, strides, pads…}                ONNX's Conv
// After:  y = Convolution(x, W) {strides, dilations, pads_begin…} [+ bias]
//         y = GroupConvolution(x, W as [G, O/G, I/G, …]) [+ bias]
// Conditions: 1 to 3 spatial dimensions.

#include "core/front/onnx/convolution.h"
#include "core/front/onnx/window.h"
#include "core/pipeline/transform.h"

namespace mo {
namespace {

class DecomposeConvolution final : public Decomposition {
 public:
  Names ops() const override { return {"Convolution"}; }
  bool applies(const Node& node) const override { return node.has("group"); }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort weights = node.source(1);
    const size_t axes = onnx::spatial_axes_of(node, 1);
    const Ints kernel = node.get_ints("kernel_shape");
    const PartialShape& shape = weights.tensor().shape;
    for (size_t i = 0; i < kernel.size() && shape.has_rank() && i + 2 < shape.dimensions().size(); ++i)
      if (!intersect(shape[i + 2], kernel[i])) throw Error(Code::ShapeMismatch, cat("kernel_shape has ", kernel[i], ", the weights are [", to_string(shape), "]"));
    const int64_t group = node.get_int("group");
    const Attributes window = onnx::window_attributes(node, axes);
    const OutPort y = group == 1 ? b.op("Convolution", {node.source(0), weights}, window)
                                 : b.op("GroupConvolution", {node.source(0), onnx::grouped_weights(b, weights, group)}, window);
    return {node.has_in(2) ? onnx::add_bias(b, y, node.source(2), axes) : y};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeConvolution)
}  // namespace mo

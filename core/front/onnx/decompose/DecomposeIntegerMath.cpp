// Before: y = MatMulInteger(a, b [, a_zero_point, b_zero_point])
// After:  y = Convert(MatMul(Convert(a) - a_zero_point, Convert(b) - b_zero_point)) in f32: runtimes turn this into
//         integer arithmetic, and few have a MatMul for i32
// Before: y = ConvInteger(x, w [, x_zero_point, w_zero_point]) {group, strides, pads…}
// After:  the same with a Convolution or GroupConvolution
// Before: y = QLinearMatMul(a, a_scale, a_zero_point, b, b_…, y_scale, y_zero_point)
//         y = QLinearConv(x, x_scale, x_zero_point, w, w_…, y_scale, y_zero_point [, bias])
// After:  y = quantised(MatMul or Convolution of the dequantised inputs [+ bias * x_scale * w_scale])
// Conditions: those of Convolution. There may be one zero point for each row of a and each column of b.

#include "core/decompose/math/constants.h"
#include "core/decompose/quantization/quantization.h"
#include "core/decompose/spatial/convolution.h"
#include "core/decompose/spatial/window.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeIntegerMath final : public Decomposition {
 public:
  Names ops() const override { return {"MatMulInteger", "ConvInteger", "QLinearMatMul", "QLinearConv"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    if (node.op() == "MatMulInteger") return {b.convert(matmul_integer(b, node), ElementType::I32)};
    if (node.op() == "ConvInteger") return {b.convert(conv_integer(b, node), ElementType::I32)};
    if (node.op() == "QLinearMatMul") return {linear_matmul(b, node)};
    return {linear_conv(b, node)};
  }

 private:
  static OutPort matmul_integer(Builder& b, const Node& node) {
    const OutPort rows = without_zero_point(b, node.source(0), node.source(2), -2);
    return b.op("MatMul", {rows, without_zero_point(b, node.source(1), node.source(3), -1)});
  }

  static OutPort conv_integer(Builder& b, const Node& node) {
    const SpatialDims dims = data_dims_of(node, 1);
    const OutPort x = without_zero_point(b, node.source(0), node.source(2), static_cast<int64_t>(dims.channel));
    return convolution(b, node, x, without_zero_point(b, node.source(1), node.source(3), 0), dims.spatial.size());
  }

  static OutPort convolution(Builder& b, const Node& node, OutPort x, OutPort weights, size_t axes) {
    const int64_t group = node.get_int("group", 1);
    if (group < 1) throw Error(Code::BadAttribute, msg("group is ", group));
    const Attributes window = window_attributes(node, SpatialWindow(node, axes));
    if (group == 1) return b.op("Convolution", {x, weights}, window);
    return b.op("GroupConvolution", {x, grouped_weights(b, weights, group)}, window);
  }

  static OutPort linear_matmul(Builder& b, const Node& node) {
    const OutPort left = dequantize(b, node.source(0), node.source(1), node.source(2), {.axis = -2}, {});
    const OutPort right = dequantize(b, node.source(3), node.source(4), node.source(5), {.axis = -1}, {});
    return quantized(b, node, b.op("MatMul", {left, right}), -2);
  }

  static OutPort linear_conv(Builder& b, const Node& node) {
    const SpatialDims dims = data_dims_of(node, 3);
    const auto channel = static_cast<int64_t>(dims.channel);
    const OutPort x = dequantize(b, node.source(0), node.source(1), node.source(2), {.axis = channel}, {});
    const OutPort weights = dequantize(b, node.source(3), node.source(4), node.source(5), {.axis = 0}, {});
    OutPort y = convolution(b, node, x, weights, dims.spatial.size());
    if (node.has_in(8)) {
      const OutPort step = b.op("Mul", {node.source(1), node.source(4)});
      y = add_bias(b, y, b.op("Mul", {convert_like(b, node.source(8), step), step}), dims);
    }
    return quantized(b, node, y, channel);
  }

  static OutPort quantized(Builder& b, const Node& node, OutPort y, int64_t axis) {
    const ElementType type = node.source(7).tensor().type;
    if (type == ElementType::Unknown) throw Error(Code::UnsupportedForm, "a zero point of unknown type");
    return quantize(b, y, node.source(6), node.source(7), {.axis = axis}, type, {});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeIntegerMath)
}  // namespace mo

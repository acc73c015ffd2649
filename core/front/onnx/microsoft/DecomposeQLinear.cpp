// Operations of the domain com.microsoft on quantised tensors, each with its scale and zero point
// Before: y = QLinearAdd, QLinearMul(a, a_scale, a_zero_point, b, …, y_scale, y_zero_point)
//         y = QLinearSigmoid, QLinearLeakyRelu, QLinearSoftmax(x, x_scale, x_zero_point, y_…)
//         y = QLinearAveragePool, QLinearGlobalAveragePool(x, x_scale, x_zero_point, y_…)
//         y = QLinearConcat(y_scale, y_zero_point, x0, x0_scale, x0_zero_point, x1, …) {axis}
//         y = QGemm(a, …, b, …, c, y_scale, y_zero_point) {alpha, transA, transB}; without y_scale y is not quantised
//         y = MatMulIntegerToFloat(a, b, a_scale, b_scale, a_zero_point, b_zero_point, bias)
//         y = DynamicQuantizeMatMul(x, b, b_scale, b_zero_point, bias)
// After:  y = quantised(the operation on dequantised inputs)
// Conditions: pools need the rank of x. x of DynamicQuantizeMatMul is not quantised in between, so its precision is not
// reduced.

#include "core/decompose/control/nested.h"
#include "core/decompose/math/constants.h"
#include "core/decompose/quantization/quantization.h"
#include "core/front/onnx/microsoft/channels.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeQLinear final : public Decomposition {
 public:
  Names ops() const override {
    return {
        "QLinearAdd",        "QLinearMul", "QLinearSigmoid",       "QLinearLeakyRelu",      "QLinearGlobalAveragePool",
        "QLinearConcat",     "QGemm",      "MatMulIntegerToFloat", "DynamicQuantizeMatMul", "QLinearSoftmax",
        "QLinearAveragePool"};
  }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const std::string& op = node.op();
    if (op == "QLinearAdd" || op == "QLinearMul")
      return {quantized_like_input(
          b, node, b.op(op == "QLinearAdd" ? "Add" : "Mul", {real(b, node, 0), real(b, node, 3)}), 6, 0)};
    if (op == "QLinearConcat") return {concat(b, node)};
    if (op == "QGemm") return {gemm(b, node)};
    if (op == "MatMulIntegerToFloat") {
      const OutPort x = real_input(b, node, 0, 2, 4, -2);
      return {matmul(b, node, x, real_input(b, node, 1, 3, 5, -1), 6)};
    }
    if (op == "DynamicQuantizeMatMul") {
      require_input(node, 0);
      return {matmul(b, node, node.source(0), real_input(b, node, 1, 2, 3, -1), 4)};
    }
    return {quantized_like_input(b, node, of_one(b, node, real(b, node, 0)), 3, 0)};
  }

 private:
  /// Input `x`, dequantised with the scale and the zero point after it.
  static OutPort real(Builder& b, const Node& node, int x) { return real_input(b, node, x, x + 1, x + 2, 1); }

  static OutPort of_one(Builder& b, const Node& node, OutPort x) {
    if (node.op() == "QLinearSigmoid") return b.op("Sigmoid", {x});
    if (node.op() == "QLinearLeakyRelu") return b.op("PReLU", {x, splat_like(b, x, {1}, node.get_float("alpha"))});
    if (node.op() == "QLinearSoftmax") {
      const bool flattens = node.get_int("opset") < 13;
      const Attributes axis{{"axis", node.get_int("axis")}};
      return flattens ? decomposed(b, "SoftMaxONNX", {x}, axis)[0] : b.op("SoftMax", {x}, axis);
    }
    const int rank = x.tensor().shape.rank();
    if (rank < 3) throw Error(Code::UnsupportedForm, "a pool of unknown rank or without spatial dimensions");
    const bool channels_last = node.get_bool("channels_last");
    if (node.op() == "QLinearAveragePool") return average(b, node, x, channels_last ? rank : 0);
    Ints axes;
    for (int i = channels_last ? 1 : 2; i < rank - (channels_last ? 1 : 0); ++i) axes.push_back(i);
    return b.reduce("ReduceMean", x, axes, true);
  }

  /// `rank`: the rank of x if its channels are last, else 0.
  static OutPort average(Builder& b, const Node& node, OutPort x, int rank) {
    Attributes attributes = node.attributes;
    attributes.set("pool_method", std::string("avg"));
    if (rank == 0) return decomposed(b, "Pooling", {x}, attributes)[0];
    return onnx::channels_last(b, decomposed(b, "Pooling", {onnx::channels_first(b, x)}, attributes)[0], rank);
  }

  static OutPort concat(Builder& b, const Node& node) {
    require_input(node, 1);
    std::vector<OutPort> parts;
    for (int i = 2; i < node.in_count(); i += 3) parts.push_back(real(b, node, i));
    if (parts.empty()) throw Error(Code::MissingInput, "nothing to join");
    const OutPort y = b.concat(parts, node.get_int("axis"));
    return quantize(b, y, node.source(0), node.source(1), {}, node.source(1).tensor().type, {});
  }

  static OutPort gemm(Builder& b, const Node& node) {
    const bool columns_first = node.get_bool("transB");
    const OutPort left = real(b, node, 0), right = real_input(b, node, 3, 4, 5, columns_first ? 0 : 1);
    OutPort y =
        b.op("MatMul", {left, right}, {{"transpose_a", node.get_bool("transA")}, {"transpose_b", columns_first}});
    const double alpha = node.get_float("alpha");
    if (alpha != 1) y = b.op("Mul", {y, splat_like(b, y, {}, alpha)});
    if (node.has_in(6)) {
      // The unit of the bias is alpha * a_scale * b_scale.
      OutPort step = b.op("Mul", {node.source(1), node.source(4)});
      if (alpha != 1) step = b.op("Mul", {step, splat_like(b, step, {}, alpha)});
      y = b.op("Add", {y, b.op("Mul", {convert_like(b, node.source(6), step), step})});
    }
    return node.has_in(7) ? quantized_like_input(b, node, y, 7, 0) : y;
  }

  static OutPort matmul(Builder& b, const Node& node, OutPort left, OutPort right, int bias) {
    const OutPort y = b.matmul({left, right});
    return node.has_in(bias) ? b.op("Add", {y, node.source(bias)}) : y;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeQLinear)
}  // namespace mo

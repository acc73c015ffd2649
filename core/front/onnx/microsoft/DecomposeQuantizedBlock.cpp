// Operations of com.microsoft on quantised tensors for which there is a floating-point operation
// Before → after, where real() means (x - zero_point) * scale:
// QAttention(x, W, bias, x_scale, W_scale, mask, x_zero_point, W_zero_point, past)
//                                             → FusedAttention(real(x), real(W), …)
// QEmbedLayerNormalization(ids, segment ids, tables, gamma, beta, mask, scales…, zero points…)
//                                             → EmbedLayerNormalization of the real tables
// DynamicQuantizeLSTM(X, W, R, B, …, W_scale, W_zero_point, R_scale, R_zero_point) → LSTM of the real W and R
// QLinearReduceMean(x, x_scale, x_zero_point, y_scale, y_zero_point) → quantised(ReduceMean of real(x))
// QLinearWhere(condition, x, …, y, …, z_scale, z_zero_point) → quantised(Select(condition, real(x), real(y)))
// Conditions: those of the other operations; QLinearReduceMean without axes needs the rank of x. x of
// DynamicQuantizeLSTM is not quantised: its precision is not reduced.

#include "core/decompose/control/nested.h"
#include "core/decompose/quantization/quantization.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeQuantizedBlock final : public Decomposition {
 public:
  Names ops() const override {
    return {"QAttention", "QEmbedLayerNormalization", "DynamicQuantizeLSTM", "QLinearReduceMean", "QLinearWhere"};
  }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const std::string& op = node.op();
    if (op == "QAttention") {
      if (node.get_bool("past_present_share_buffer"))
        throw Error(Code::UnsupportedForm, "a buffer shared between past and present, without the length of the past");
      const OutPort x = real_input(b, node, 0, 3, 6, -1), weights = real_input(b, node, 1, 4, 7, -1);
      return decomposed(b, "FusedAttention", {x, weights, node.source(2), node.source(5), node.source(8)},
                        node.attributes, node.out_count());
    }
    if (op == "QEmbedLayerNormalization") {
      std::vector<OutPort> inputs{node.source(0), node.source(1)};
      for (int i = 2; i < 7; ++i)
        inputs.push_back(node.has_in(i) ? real_input(b, node, i, i + 6, i + 11, -1) : OutPort());
      inputs.push_back(node.source(7));
      return decomposed(b, "EmbedLayerNormalization", inputs, node.attributes, node.out_count());
    }
    if (op == "DynamicQuantizeLSTM") return {lstm(b, node)};
    if (op == "QLinearWhere") {
      require_input(node, 0);
      const OutPort x = real_input(b, node, 1, 2, 3, -1), y = real_input(b, node, 4, 5, 6, -1);
      return {quantized_like_input(b, node, b.op("Select", {node.source(0), x, y}), 7, 1)};
    }
    return {quantized_like_input(b, node, mean(b, node, real_input(b, node, 0, 1, 2, 1)), 3, 0)};
  }

 private:
  static OutPort mean(Builder& b, const Node& node, OutPort x) {
    const int rank = x.tensor().shape.rank();
    Ints axes = node.get_ints("axes");
    for (int64_t i = 0; !node.has("axes") && i < rank; ++i) axes.push_back(i);
    if (axes.empty()) throw Error(Code::UnsupportedForm, "a mean over a tensor of unknown rank");
    return b.reduce("ReduceMean", x, axes, node.get_bool("keepdims"));
  }

  static std::vector<OutPort> lstm(Builder& b, const Node& node) {
    // [directions, columns, 4 * hidden]: one scale per direction, or one per gate row of a direction.
    const auto gates = [&](int input, int scale) {
      require_input(node, input);
      require_input(node, scale);
      const auto beside = [&](OutPort numbers) {
        return numbers && numbers.tensor().shape.rank() > 0
                   ? b.reshape(numbers, numbers.tensor().shape.rank() == 1 ? Ints{-1, 1, 1} : Ints{0, 1, -1})
                   : numbers;
      };
      const OutPort factors = beside(node.source(scale)), zeros = beside(node.source(scale + 1));
      const OutPort w = dequantize(b, node.source(input), factors, zeros, {}, {});
      return b.transpose(w, {0, 2, 1});
    };
    std::vector<OutPort> inputs{node.source(0), gates(1, 8), gates(2, 10)};
    for (int i = 3; i < 8; ++i) inputs.push_back(node.source(i));
    return decomposed(b, "LSTM", inputs, node.attributes, node.out_count());
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeQuantizedBlock)
}  // namespace mo

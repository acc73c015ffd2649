// Operations of ONNX Runtime's optimizer, domain com.microsoft.
// Before: y, present_key, present_value, scores = MultiHeadAttention(Q, K, V, bias, padding mask, added, past_key,
//         past_value, past length, beams); K and V may be packed into one input, Q, K and V into another
// Before: y, present = FusedAttention(x, W, bias, mask, past, added, past length) {do_rotary, rotary_embedding_dim},
//         with Q, K and V parts of x * W + bias (Attention)
// After:  y = ScaledDotProductAttention(Q, K, V, mask) with separate heads; present = past before K and V; scores =
//         MatMul(Q, K) * scale + mask. With a past length, past and present are a buffer of one size, in which K and V
//         replace the elements behind the past. Q and K may be rotated by their positions.
// Conditions: the sizes of heads that are rotated are known.

#include <algorithm>
#include <cmath>

#include "core/front/onnx/decompose/attention.h"
#include "core/front/onnx/microsoft/attention_heads.h"
#include "core/front/onnx/microsoft/padding.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeMultiHeadAttention final : public Decomposition {
 public:
  Names ops() const override { return {"MultiHeadAttention", "FusedAttention"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const bool projected = node.op() == "FusedAttention";
    if (!projected && node.has_in(6) != node.has_in(7)) throw Error(Code::MissingInput, "past_key and past_value");
    onnx::AttentionHeads h = projected ? onnx::heads_of_projection(b, node) : onnx::heads_of_inputs(b, node);
    const OutPort past = onnx::past_length(b, h);
    const onnx::PresentHeads present = onnx::join_past(b, h);
    const int mask_input = projected ? 3 : 4;
    const double lowest = onnx::lowest_number(h.query.tensor().type),
                 filter = std::max(static_cast<double>(node.get_float("mask_filter_value")), lowest);
    onnx::AttentionMask mask;
    if (node.has_in(mask_input))
      mask.bias = onnx::padding_bias(b, node.source(mask_input), {h.query, h.key, past, projected, filter});
    OutPort added = node.source(5);
    const bool scored = node.out_count() > 3 && !node.out(3).disconnected();
    const bool causal = node.get_bool("unidirectional");
    const bool only_causal = causal && !past && !mask.bias && !added && !scored;
    // Where other keys may be as low, it matters that later keys get the lowest number: they then count like these.
    const bool low = causal && (filter < lowest / 2 || (added && onnx::least_number(added) < lowest / 2));
    if (added && !low) mask.also_add(b, added);
    if (causal && !only_causal) {
      const OutPort last = onnx::last_keys(b, b.dims_of(h.query, {2}), past);
      mask.also_keep(b, onnx::causal_mask(b, b.dims_of(h.key, {2}), last));
      mask = {{}, mask.sum(b, h.query, low || scored ? lowest : -HUGE_VAL)};
    }
    if (added && low) mask.also_add(b, added);
    const OutPort y = onnx::attend(b, h.query, h.key, h.value, mask.bias, only_causal, node.get_float("scale"));
    std::vector<OutPort> outputs{onnx::join_heads(b, y)};
    if (projected && node.out_count() > 1)
      outputs.push_back(b.concat({b.unsqueeze(present.key, {0}), b.unsqueeze(present.value, {0})}, 0));
    if (!projected) outputs.insert(outputs.end(), {present.key, present.value});
    if (scored) outputs.push_back(scores(b, h, mask.bias, node.get_float("scale")));
    outputs.resize(static_cast<size_t>(node.out_count()));
    return outputs;
  }

 private:
  static OutPort scores(Builder& b, const onnx::AttentionHeads& h, OutPort added, double scale) {
    const PartialShape& shape = h.query.tensor().shape;
    if (scale == 0 && !(shape.rank() == 4 && shape[3].is_exact()))
      throw Error(Code::UnsupportedForm, "a head size that is not known");
    if (scale == 0) scale = 1 / std::sqrt(static_cast<double>(shape[3].min));
    const OutPort products = b.matmul({h.query, h.key}, true);
    const OutPort y = b.op("Mul", {products, b.scalar_like(products, scale)});
    return added ? b.op("Add", {y, added}) : y;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeMultiHeadAttention)
}  // namespace mo

// Operations of ONNX Runtime's optimizer, domain com.microsoft.
// Before: y, present_key, present_value, scores = MultiHeadAttention(Q, K, V, bias, padding mask, added, past_key,
//         past_value); K and V may be packed into one input, Q, K and V into another
// Before: y, present = FusedAttention(x, W, bias, mask, past, added), with Q, K and V parts of x * W + bias (Attention)
// After:  y = ScaledDotProductAttention(Q, K, V, mask) with separate heads; present = past before K and V; scores =
//         MatMul(Q, K) * scale + mask
// Conditions: no rotation, no buffers shared between past and present.

#include <algorithm>
#include <cmath>

#include "core/front/onnx/decompose/attention.h"
#include "core/front/onnx/microsoft/padding.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

/// Query, key and value with separate heads, and the past.
struct HeadsOfAttention {
  OutPort query, key, value, past_key, past_value;
};

class DecomposeMultiHeadAttention final : public Decomposition {
 public:
  Names ops() const override { return {"MultiHeadAttention", "FusedAttention"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const bool projected = node.op() == "FusedAttention";
    if (node.get_bool("do_rotary") || node.get_bool("past_present_share_buffer") || node.has_in(6 + 2 * !projected) ||
        node.has_in(9))
      throw Error(Code::UnsupportedForm, "rotation, or a buffer shared between past and present");
    HeadsOfAttention h = projected ? from_projection(b, node) : from_inputs(b, node);
    const OutPort past = h.past_key ? b.dims_of(h.past_key, {2}) : OutPort();
    if (past) {
      h.key = b.concat({h.past_key, h.key}, 2);
      h.value = b.concat({h.past_value, h.value}, 2);
    }
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
      outputs.push_back(b.concat({b.unsqueeze(h.key, {0}), b.unsqueeze(h.value, {0})}, 0));
    if (!projected) outputs.insert(outputs.end(), {h.key, h.value});
    if (scored) outputs.push_back(scores(b, h, mask.bias, node.get_float("scale")));
    outputs.resize(static_cast<size_t>(node.out_count()));
    return outputs;
  }

 private:
  static HeadsOfAttention from_projection(Builder& b, const Node& node) {
    require_input(node, 0);
    require_input(node, 1);
    OutPort all = b.matmul({node.source(0), node.source(1)});
    if (node.has_in(2)) all = b.op("Add", {all, node.source(2)});
    const Ints sizes = node.get_ints("qkv_hidden_sizes");
    Node& parts = sizes.empty() ? b.node("Split", {all, b.i64_scalar(2)}, {{"num_splits", int64_t{3}}}, 3)
                                : b.node("VariadicSplit", {all, b.i64_scalar(2), b.i64(sizes)}, {}, 3);
    const int64_t heads = node.get_int("num_heads");
    HeadsOfAttention h{onnx::split_heads(b, parts.out(0), heads),
                       onnx::split_heads(b, parts.out(1), heads),
                       onnx::split_heads(b, parts.out(2), heads),
                       {},
                       {}};
    if (node.has_in(4)) {
      h.past_key = b.gather(node.source(4), b.i64_scalar(0), 0);
      h.past_value = b.gather(node.source(4), b.i64_scalar(1), 0);
    }
    return h;
  }

  /// Q, K and V [batch, length, heads * size]; K and V, or all three, as [batch, length, heads, 2 or 3, size]; K and V
  /// of another attention's past [batch, heads, length, size], which include the bias.
  static HeadsOfAttention from_inputs(Builder& b, const Node& node) {
    require_input(node, 0);
    const int64_t heads = node.get_int("num_heads");
    OutPort parts[3];
    int64_t from = 0;
    for (int i = 0; i < 3; ++i) {
      int input = i;
      while (!node.has_in(input)) --input;
      OutPort x = node.source(input);
      const PartialShape& shape = x.tensor().shape;
      const int rank = shape.rank();
      if (rank == 5)
        x = b.gather(x, b.i64_scalar(i - input), 3);
      else if (input != i || (rank != 3 && rank != 4))
        throw Error(Code::UnsupportedForm, msg("attention of a tensor [", to_string(shape), "]"));
      if (rank != 4 && node.has_in(3)) {
        const Dimension size = rank == 3 ? shape[2] : shape[4] * Dimension(heads);
        if (!size.is_exact()) throw Error(Code::UnsupportedForm, "a hidden size that is not known");
        const OutPort bias =
            b.op("Slice", {node.source(3), b.i64({from}), b.i64({from + size.min}), b.i64({1}), b.i64({0})});
        x = b.op("Add", {x, rank == 3 ? bias : b.reshape(bias, {heads, -1}, false)});
        from += size.min;
      }
      parts[i] = rank == 3 ? onnx::split_heads(b, x, heads) : rank == 5 ? b.transpose(x, {0, 2, 1, 3}) : x;
    }
    return {parts[0], parts[1], parts[2], node.source(6), node.source(7)};
  }

  static OutPort scores(Builder& b, const HeadsOfAttention& h, OutPort added, double scale) {
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

// Before: Y, present_key, present_value, scores = Attention(Q, K, V, attn_mask, past_key, past_value, nonpad_kv_seqlen)
// After:  Y = ScaledDotProductAttention(Q, K, V, mask) with separate heads; K and V are appended to the past and
//         repeated for each query head;
//         with softcap, a softmax precision of its own, or used scores: MatMul, SoftMax, MatMul;
//         Select(which queries see a key, Y, 0) where the mask or nonpad_kv_seqlen may hide all keys from a query
// Conditions: the ranks of Q and of the mask are known. The head size is known for ScaledDotProductAttention with a
// given scale, and for MatMul, SoftMax, MatMul without one.

#include <algorithm>
#include <cmath>

#include "core/decompose/math/constants.h"
#include "core/front/onnx/decompose/attention.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeAttention final : public Decomposition {
 public:
  Names ops() const override { return {"Attention"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    OutPort query = node.source(0), key = node.source(1), value = node.source(2);
    const int rank = query.tensor().shape.rank();
    if (rank != 3 && rank != 4) throw Error(Code::UnsupportedForm, msg("attention of tensors of rank ", rank));
    if (rank == 3) {
      query = onnx::split_heads(b, query, node.get_int("q_num_heads"));
      key = onnx::split_heads(b, key, node.get_int("kv_num_heads"));
      value = onnx::split_heads(b, value, node.get_int("kv_num_heads"));
    }
    const OutPort past = node.has_in(4) ? b.dims_of(node.source(4), {2}) : OutPort();
    if (node.has_in(4)) key = b.concat({node.source(4), key}, 2);
    if (node.has_in(5)) value = b.concat({node.source(5), value}, 2);
    const OutPort present_key = key, present_value = value;
    onnx::AttentionMask mask = read_mask(b, node, query, key, past);
    key = onnx::repeat_heads(b, key, query);
    value = convert_like(b, onnx::repeat_heads(b, value, query), query);

    const ElementType type = query.tensor().type, precision = softmax_type(node, type);
    OutPort scores, y;
    if (scores_used(node) || node.get_float("softcap") != 0 || precision != type)
      y = spelled_out(b, node, query, key, value, mask, precision, scores);
    else
      y = fused(b, node, query, key, value, mask, past);
    const OutPort seeing = mask.seeing(b);
    y = rank == 3 ? onnx::join_heads(b, y, seeing) : onnx::only_seeing(b, y, seeing);
    const OutPort all[] = {y, present_key, present_value, scores};
    return {all, all + std::min(node.out_count(), 4)};
  }

 private:
  static bool scores_used(Node& node) { return node.out_count() > 3 && !node.out(3).disconnected(); }

  static ElementType softmax_type(const Node& node, ElementType type) {
    return node.get_type("softmax_precision", type);
  }

  static onnx::AttentionMask read_mask(Builder& b, const Node& node, OutPort query, OutPort key, OutPort past) {
    onnx::AttentionMask mask;
    const OutPort length = b.dims_of(key, {2});
    if (node.has_in(3)) {
      const OutPort given = node.source(3);
      const bool boolean = given.tensor().type == ElementType::Bool;
      const OutPort whole = lengthened(b, given, key, boolean);
      if (boolean)
        mask.keep = whole;
      else
        mask.bias = convert_like(b, whole, query);
      if (!node.get_bool("open_mask")) mask.given = given;
    }
    const bool causal = node.get_bool("is_causal");
    OutPort valid;
    if (node.has_in(6)) {
      if (causal && past) throw Error(Code::UnsupportedForm, "past keys before keys that nonpad_kv_seqlen counts");
      valid = b.reshape(b.convert(node.source(6), ElementType::I64), {-1, 1, 1, 1}, false);
    }
    if (causal) {
      // Of the valid keys, the last ones are those of the queries.
      const OutPort queries = b.dims_of(query, {2}), before = valid ? b.op("Sub", {valid, queries}) : past;
      const OutPort last = onnx::last_keys(b, queries, before);
      mask.also_keep(b, onnx::causal_mask(b, length, last));
      if (valid) mask.open = b.op("GreaterEqual", {last, b.i64_scalar(0)});
    } else if (valid) {
      mask.also_keep(b, b.op("Less", {onnx::places_of(b, length), valid}));
      mask.open = b.op("Greater", {valid, b.i64_scalar(0)});
    }
    return mask;
  }

  /// A mask shorter than the keys is extended so that the other keys are excluded.
  static OutPort lengthened(Builder& b, OutPort mask, OutPort key, bool boolean) {
    const PartialShape &shape = mask.tensor().shape, &keys = key.tensor().shape;
    if (!shape.has_rank() || shape.rank() == 0) throw Error(Code::UnsupportedForm, "a mask of unknown rank");
    const auto last = static_cast<size_t>(shape.rank() - 1);
    if (keys.rank() == 4 && keys[2].is_exact() && shape[last] == keys[2]) return mask;
    const OutPort missing = b.op("Sub", {b.dims_of(key, {2}), b.dims_of(mask, {static_cast<int64_t>(last)})});
    const OutPort behind = last == 0 ? missing : b.concat({b.i64(Ints(last, 0)), missing}, 0);
    const OutPort numbers = boolean ? b.convert(mask, ElementType::U8) : mask;
    const OutPort filler = boolean ? b.constant(make_scalar(ElementType::U8, 0)) : b.scalar_like(mask, -HUGE_VAL);
    const OutPort padded = b.op("Pad", {numbers, b.i64(Ints(last + 1, 0)), behind, filler}, {{"mode", "constant"}});
    return boolean ? b.convert(padded, ElementType::Bool) : padded;
  }

  static double scale_of(const Node& node, OutPort query) {
    if (const double scale = node.get_float("scale"); scale != 0) return scale;
    const PartialShape& shape = query.tensor().shape;
    if (shape.rank() != 4 || !shape[3].is_exact() || shape[3].min < 1)
      throw Error(Code::UnsupportedForm, "a head size that is not known");
    return 1 / std::sqrt(static_cast<double>(shape[3].min));
  }

  static OutPort fused(Builder& b, const Node& node, OutPort query, OutPort key, OutPort value,
                       const onnx::AttentionMask& mask, OutPort past) {
    // A mask that is only causal is an attribute.
    const bool only_causal = node.get_bool("is_causal") && !past && !node.has_in(3) && !node.has_in(6);
    return onnx::attend(b, query, key, value, only_causal ? OutPort() : mask.sum(b, query), only_causal,
                        node.get_float("scale"));
  }

  static OutPort spelled_out(Builder& b, Node& node, OutPort query, OutPort key, OutPort value,
                             onnx::AttentionMask& mask, ElementType precision, OutPort& scores) {
    const double half = std::sqrt(scale_of(node, query)), cap = node.get_float("softcap");
    const OutPort product = b.matmul(
        {b.op("Mul", {query, b.scalar_like(query, half)}), b.op("Mul", {key, b.scalar_like(key, half)})}, true);
    OutPort capped = product;
    if (cap != 0)
      capped = b.op("Mul",
                    {b.op("Tanh", {b.op("Div", {product, b.scalar_like(product, cap)})}), b.scalar_like(product, cap)});
    const OutPort bias = mask.sum(b, query), masked = bias ? b.op("Add", {capped, bias}) : capped;
    const ElementType type = query.tensor().type;
    const OutPort weights = b.op("SoftMax", {precision == ElementType::Unknown ? masked : b.convert(masked, precision)},
                                 {{"axis", int64_t{-1}}});
    const OutPort narrow = type == ElementType::Unknown ? weights : b.convert(weights, type);
    const int64_t mode = node.get_int("qk_matmul_output_mode");
    if (mode < 0 || mode > 3) throw Error(Code::BadAttribute, msg("qk_matmul_output_mode is ", mode));
    OutPort used = narrow;
    if (mode == 3 && scores_used(node)) {
      used = onnx::only_seeing(b, narrow, mask.seeing(b));
      mask = {};
    }
    const OutPort by_mode[] = {product, capped, masked, used};
    scores = by_mode[mode];
    return b.matmul({used, value});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeAttention)
}  // namespace mo

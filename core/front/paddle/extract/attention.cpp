// Attention and the layers of transformers.

#include "core/base/text.h"
#include "core/front/paddle/extract/activation.h"
#include "core/front/paddle/extract/extractor.h"

namespace mo::paddle {
namespace {

/// Query, key and value are [batch, tokens, heads, size], as the result is.
OutPort attention_of_heads(Builder& b, OutPort query, OutPort key, OutPort value, OutPort mask, Attributes attributes) {
  const Ints order{0, 2, 1, 3};
  const OutPort q = b.transpose(query, order), k = b.transpose(key, order), v = b.transpose(value, order);
  return b.transpose(b.op("Attention", {q, k, v, mask}, std::move(attributes)), order);
}

/// x [batch, tokens, 3 * heads * size] as queries, keys and values; the result is [batch, tokens, heads * size].
OutPort attention_of_all(Builder& b, OutPort x, OutPort mask, int64_t heads, double scale) {
  if (heads < 1) throw Error(Code::BadAttribute, msg(heads, " heads"));
  Node& parts = b.node("AttributedSplit", {x}, {{"axis", int64_t{-1}}, {"num_outputs", int64_t{3}}}, 3);
  Attributes attributes{{"q_num_heads", heads}, {"kv_num_heads", heads}};
  if (scale != 0) attributes.set("scale", scale);
  return b.op("Attention", {parts.out(0), parts.out(1), parts.out(2), mask}, std::move(attributes));
}

OutPort normalized_by(Builder& b, Node& node, OutPort x, const char* scale, const char* bias, const char* epsilon) {
  return layer_normalized(b, x, input(node, scale), input(node, bias), -1, node.get_float(epsilon, 1e-5));
}

}  // namespace

void extract_multihead_matmul(Node& node) {
  Builder b(node);
  const OutPort weights = b.reshape(required(node, "W"), {0, -1}), bias = b.reshape(required(node, "Bias"), {-1});
  const OutPort all = b.op("Add", {b.matmul({required(node, "Input"), weights}), bias});
  give(node, {{"Out", attention_of_all(b, all, input(node, "BiasQK"), node.get_int("head_number", 1),
                                       node.get_float("alpha", 1))}});
}

/// x is [batch, tokens, 3, heads, size], or as a matrix of the last three.
void extract_self_dp_attention(Node& node) {
  Builder b(node);
  const int64_t heads = node.get_int("head_number", 1);
  const OutPort all = b.reshape(required(node, "X"), {0, 0, -1});
  const OutPort y = attention_of_all(b, all, {}, heads, node.get_float("alpha", 1));
  give(node, {{"Out", b.reshape(y, {0, 0, heads, -1})}});
}

void extract_flash_attn(Node& node) {
  if (node.get_bool("return_softmax")) throw Error(Code::UnsupportedForm, "the softmax as a result");
  Builder b(node);
  const OutPort query = required(node, "q"), key = required(node, "k"), value = required(node, "v");
  give(node, {{"out", attention_of_heads(b, query, key, value, input(node, "attn_mask"),
                                         {{"is_causal", node.get_bool("causal")}})}});
}

/// A scale below 0 is that of the size of heads.
void extract_memory_efficient_attention(Node& node) {
  for (const char* slot : {"cu_seqlens_q", "cu_seqlens_k", "causal_diagonal", "seqlen_k"})
    if (input(node, slot)) throw Error(Code::UnsupportedForm, msg(slot, " is given"));
  Builder b(node);
  const OutPort query = required(node, "query"), key = required(node, "key"), value = required(node, "value");
  Attributes attributes{{"is_causal", node.get_bool("causal")}};
  if (const double scale = node.get_float("scale", -1); scale > 0) attributes.set("scale", scale);
  give(node, {{"output", attention_of_heads(b, query, key, value, input(node, "bias"), std::move(attributes))}});
}

/// The weights of queries, keys and values are [3, heads, size, width]; transpose_qkv_wb: a matrix [width, 3 * width].
void extract_fused_attention(Node& node) {
  if (input(node, "CacheKV")) throw Error(Code::UnsupportedForm, "CacheKV is given");
  Builder b(node);
  const OutPort x = required(node, "X"), weights = required(node, "QKVW"), bias = input(node, "QKVBias");
  const bool matrix = node.get_bool("transpose_qkv_wb"), before = node.get_bool("pre_layer_norm");
  int64_t heads = node.get_int("num_heads", -1);
  if (const Constant* value = weights.node().attributes.get_if<Constant>("value");
      !matrix && value && value->shape.size() == 4)
    heads = value->shape[1];
  const OutPort from = before ? normalized_by(b, node, x, "LnScale", "LnBias", "epsilon") : x;
  const OutPort table = matrix ? weights : b.op("RowsOfLast", {weights});
  OutPort all = b.matmul({from, table}, !matrix);
  if (bias) all = b.op("Add", {all, b.reshape(bias, {-1})});
  OutPort y = attention_of_all(b, all, input(node, "SrcMask"), heads, 0);
  y = dropped(b, y, node.get_float("attn_dropout_rate"),
              node.get_string("attn_dropout_implementation", "upscale_in_train"));
  y = plus(b, b.matmul({y, required(node, "OutLinearW")}), input(node, "OutLinearBias"));
  y = dropped(b, y, node.get_float("dropout_rate"), node.get_string("dropout_implementation", "upscale_in_train"));
  if (node.get_bool("add_residual", true)) y = b.op("Add", {x, y});
  give(node, {{"Y", before ? y : normalized_by(b, node, y, "Ln2Scale", "Ln2Bias", "ln_epsilon")}});
}

void extract_fused_feedforward(Node& node) {
  Builder b(node);
  const OutPort x = required(node, "X");
  const bool before = node.get_bool("pre_layer_norm");
  OutPort y = before ? normalized_by(b, node, x, "Ln1Scale", "Ln1Bias", "ln1_epsilon") : x;
  y = plus(b, b.matmul({y, required(node, "Linear1Weight")}), input(node, "Linear1Bias"));
  y = activated(b, y, node.get_string("act_method", "gelu"));
  y = dropped(b, y, node.get_float("dropout1_rate"), node.get_string("dropout1_implementation", "upscale_in_train"));
  y = plus(b, b.matmul({y, required(node, "Linear2Weight")}), input(node, "Linear2Bias"));
  y = dropped(b, y, node.get_float("dropout2_rate"), node.get_string("dropout2_implementation", "upscale_in_train"));
  if (node.get_bool("add_residual", true)) y = b.op("Add", {x, y});
  give(node, {{"Out", before ? y : normalized_by(b, node, y, "Ln2Scale", "Ln2Bias", "ln2_epsilon")}});
}

void extract_fused_softmax_mask(Node& node) {
  const OutPort sum = Builder(node).op("Add", {required(node, "X"), required(node, "Mask")});
  become(node, "SoftMax", {sum}, {{"axis", int64_t{-1}}});
}

/// Sine and cosine are [1, tokens, 1, size] or [tokens, size]; position_ids [batch, tokens] choose their rows.
void extract_fused_rotary_position_embedding(Node& node) {
  Builder b(node);
  const bool pairs = node.get_bool("use_neox_rotary_style", true);
  const OutPort positions = input(node, "position_ids");
  const auto given = [&](const char* slot) {
    const OutPort angles = b.op("RowsOfLast", {required(node, slot)});
    return b.unsqueeze(positions ? b.gather(angles, positions, 0) : angles, {-2});
  };
  const OutPort sine = given("sin"), cosine = given("cos");
  const auto rotated = [&](const char* slot) {
    const OutPort x = input(node, slot);
    return x ? b.op(pairs ? "RotatedPairs" : "RotatedHalves", {x, cosine, sine}) : x;
  };
  const OutPort q = rotated("q"), k = rotated("k"), v = rotated("v");
  give(node, {{"out_q", q}, {"out_k", k}, {"out_v", v}});
}

}  // namespace mo::paddle

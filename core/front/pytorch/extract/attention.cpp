// Attention: of queries, keys and values, with the layers around it, and a whole layer of an encoder.

#include <cmath>

#include "core/base/text.h"
#include "core/front/pytorch/extract/extractor.h"

namespace mo::pytorch {
namespace {

/// A mask of booleans says what is seen unless it is added, as numbers are. Keys may be shared by several heads of
/// queries.
void attend(Node& node, std::string_view mask_argument, bool always_added) {
  Builder b(node);
  const ElementType type = result_type(node);
  const double dropout = number_of(node, "dropout_p");
  if (dropout != 0)
    throw Error(Code::UnsupportedForm, msg("dropout_p is ", dropout, ": call model.eval() before the export"));
  OutPort query = required(node, "query"), key = required(node, "key"), value = required(node, "value");
  const Ints query_sizes = sizes_of(node, "query"), key_sizes = sizes_of(node, "key");
  const size_t rank = query_sizes.size();
  if (node.get_bool("enable_gqa") && rank > 2 && key_sizes.size() == rank) {
    const int64_t heads = query_sizes[rank - 3], shared = key_sizes[rank - 3];
    if (heads < 1 || shared < 1 || heads % shared != 0)
      throw Error(Code::UnsupportedForm, msg(heads, " heads of queries for ", shared, " of keys"));
    if (heads != shared)
      for (OutPort* one : {&key, &value})
        *one = b.op("Repeated", {*one}, {{"axis", static_cast<int64_t>(rank) - 3}, {"count", heads / shared}});
  }
  if (is_given(node, "scale")) {
    if (rank == 0 || query_sizes[rank - 1] < 1)
      throw Error(Code::UnsupportedForm, "a scale with a head size that is not known");
    const double factor = number_of(node, "scale") * std::sqrt(static_cast<double>(query_sizes[rank - 1]));
    if (std::fabs(factor - 1) > 1e-7) query = b.op("Mul", {query, b.constant(make_scalar(type, factor))});
  }
  std::vector<OutPort> sources{query, key, value};
  if (OutPort mask = input(node, mask_argument)) {
    const ElementType own = type_of(node, mask_argument);
    if (own != ElementType::Bool || always_added) mask = as_type(b, mask, own, type);
    sources.push_back(mask);
  }
  become(node, "ScaledDotProductAttention", sources, {{"causal", node.get_bool("is_causal")}});
}

OutPort layer(Builder& b, OutPort x, OutPort weights, OutPort bias) {
  const OutPort y = b.matmul({x, weights}, true);
  return bias ? b.op("Add", {y, bias}) : y;
}

/// Whether each query sees each key: the opposite of a mask, which is for all [queries, keys], for the keys of each
/// sample, or for everything.
OutPort seen(Node& node, Builder& b) {
  OutPort mask = input(node, "mask");
  if (!mask) return mask;
  mask = as_type(b, mask, type_of(node, "mask"), ElementType::Bool);
  if (is_given(node, "mask_type") && int_of(node, "mask_type") == 1) mask = b.unsqueeze(mask, {1, 2});
  return b.op("LogicalNot", {mask});
}

struct Heads {
  int64_t count = 0, size = 0;

  Heads(const Node& node, std::string_view number) : count(int_of(node, number)) {
    const int64_t width = int_of(node, "embed_dim");
    if (count < 1 || width < 1 || width % count != 0)
      throw Error(Code::BadAttribute, msg(count, " heads of ", width, " numbers"));
    size = width / count;
  }
  OutPort split(Builder& b, OutPort x) const { return b.transpose(b.reshape(x, {0, 0, count, size}), {0, 2, 1, 3}); }
  OutPort join(Builder& b, OutPort x) const { return b.reshape(b.transpose(x, {0, 2, 1, 3}), {0, 0, count * size}); }
};

/// The weights of queries, keys and values are one matrix.
std::vector<OutPort> queries_keys_values(Node& node, Builder& b, const std::vector<OutPort>& of, const Heads& heads) {
  const OutPort weights = required(node, "qkv_weight"), bias = required(node, "qkv_bias");
  const Ints parts(3, heads.count * heads.size);
  std::vector<OutPort> out;
  if (of[0] == of[1] && of[1] == of[2]) {
    Node& all = b.split(layer(b, of[0], weights, bias), 2, parts);
    for (int i = 0; i < 3; ++i) out.push_back(heads.split(b, all.out(i)));
    return out;
  }
  Node& matrices = b.split(weights, 0, parts);
  Node& summands = b.split(bias, 0, parts);
  for (int i = 0; i < 3; ++i)
    out.push_back(heads.split(b, layer(b, of[static_cast<size_t>(i)], matrices.out(i), summands.out(i))));
  return out;
}

OutPort attended(Builder& b, std::vector<OutPort> sources, OutPort seen) {
  if (seen) sources.push_back(seen);
  return b.op("ScaledDotProductAttention", sources, {{"causal", false}});
}

OutPort projected(Node& node, Builder& b, const Heads& heads, OutPort x) {
  return layer(b, heads.join(b, x), required(node, "proj_weight"), required(node, "proj_bias"));
}

/// What queries see of keys: [batch, heads, queries, keys].
OutPort shares(Node& node, Builder& b, const Heads& heads, OutPort query, OutPort key, OutPort seen) {
  const auto number = [&](double value) { return b.constant(make_scalar(result_type(node), value)); };
  const OutPort scaled = b.op("Mul", {query, number(1 / std::sqrt(static_cast<double>(heads.size)))});
  OutPort scores = b.matmul({scaled, key}, true);
  if (seen) scores = b.op("Select", {seen, scores, number(-HUGE_VAL)});
  return b.op("SoftMax", {scores}, {{"axis", -1}});
}

OutPort normalised(Node& node, Builder& b, OutPort x, std::string_view weight, std::string_view bias) {
  return b.op("LayerNormalization", {x, required(node, weight), required(node, bias)},
              {{"axis", -1}, {"epsilon", number_of(node, "eps")}});
}

}  // namespace

void extract_scaled_dot_product_attention(Node& node) { attend(node, "attn_mask", false); }
/// What the operator above becomes in backends: its mask is one of numbers already.
void extract_attention_of_backend(Node& node) {
  if (is_given(node, "dropout_mask")) throw Error(Code::UnsupportedForm, "dropout_mask, as in training");
  attend(node, is_given(node, "attn_bias") ? "attn_bias" : "attn_mask", true);
}

void extract_native_multi_head_attention(Node& node) {
  Builder b(node);
  const Heads heads(node, "num_head");
  const std::vector<OutPort> parts =
      queries_keys_values(node, b, {required(node, "query"), required(node, "key"), required(node, "value")}, heads);
  const OutPort mask = seen(node, b);
  if (!node.is_read(1)) return give(node, {projected(node, b, heads, attended(b, parts, mask)), OutPort()});
  OutPort weights = shares(node, b, heads, parts[0], parts[1], mask);
  const OutPort y = projected(node, b, heads, b.matmul({weights, parts[2]}));
  if (node.get_bool("average_attn_weights", true)) weights = b.reduce("ReduceMean", weights, {1}, false);
  give(node, {y, weights});
}

/// nn.TransformerEncoderLayer in one operator.
void extract_transformer_encoder_layer(Node& node) {
  Builder b(node);
  const Heads heads(node, "num_heads");
  const OutPort x = required(node, "src");
  const bool before = node.get_bool("norm_first");
  const OutPort mask = seen(node, b);
  const OutPort first = before ? normalised(node, b, x, "norm_weight_1", "norm_bias_1") : x;
  const std::vector<OutPort> parts = queries_keys_values(node, b, {first, first, first}, heads);
  OutPort y = b.op("Add", {projected(node, b, heads, attended(b, parts, mask)), x});
  if (!before) y = normalised(node, b, y, "norm_weight_1", "norm_bias_1");
  const OutPort second = before ? normalised(node, b, y, "norm_weight_2", "norm_bias_2") : y;
  const OutPort hidden = layer(b, second, required(node, "ffn_weight_1"), required(node, "ffn_bias_1"));
  const OutPort active =
      node.get_bool("use_gelu") ? b.op("Gelu", {hidden}, {{"approximation_mode", "ERF"}}) : b.op("ReLU", {hidden});
  y = b.op("Add", {layer(b, active, required(node, "ffn_weight_2"), required(node, "ffn_bias_2")), y});
  give(node, {before ? y : normalised(node, b, y, "norm_weight_2", "norm_bias_2")});
}

}  // namespace mo::pytorch

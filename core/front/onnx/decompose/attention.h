// Shared by the decompositions of attention.
#pragma once

#include "core/build/builder.h"

namespace mo::onnx {

/// [batch, length, heads * size] as [batch, heads, length, size].
OutPort split_heads(Builder& b, OutPort x, int64_t heads);
/// [batch, heads, length, size] as [batch, length, heads * size].
OutPort join_heads(Builder& b, OutPort x);
/// Key or value heads, each repeated to match the number of query heads: h0 h0 h1 h1…
OutPort repeat_heads(Builder& b, OutPort x, OutPort query);

/// Which scores are kept, and what is added to them. Both may be empty; they broadcast to [batch, heads, L, S].
struct AttentionMask {
  OutPort keep;  ///< boolean
  OutPort bias;  ///< of the query's type

  void also_keep(Builder& b, OutPort condition) { keep = keep ? b.op("LogicalAnd", {keep, condition}) : condition; }
  void also_add(Builder& b, OutPort more) { bias = bias ? b.op("Add", {bias, more}) : more; }
  /// The number to add to each score; empty if both are empty.
  OutPort sum(Builder& b, OutPort like) const;
};
/// True where key `s` is not after query `l`, [L, S]. `past` is the number of keys before the first query; may be
/// empty.
OutPort causal_mask(Builder& b, OutPort query_length, OutPort key_length, OutPort past);

/// softmax(Q * K^T * scale + added) * V by ScaledDotProductAttention. A scale of 0 means 1 / sqrt(head size); `added`
/// may be empty. Throws UnsupportedForm for another scale with an unknown head size.
OutPort attend(Builder& b, OutPort query, OutPort key, OutPort value, OutPort added, bool causal, double scale);

}  // namespace mo::onnx

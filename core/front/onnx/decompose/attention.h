// What the operations around attention share.
#pragma once

#include "core/build/builder.h"

namespace mo::onnx {

/// [batch, length, heads * size] as [batch, heads, length, size].
OutPort split_heads(Builder& b, OutPort x, int64_t heads);
/// [batch, heads, length, size] as [batch, length, heads * size].
OutPort join_heads(Builder& b, OutPort x);
/// Key or value heads, each repeated until there are as many as the query has: h0 h0 h1 h1…
OutPort repeat_heads(Builder& b, OutPort x, OutPort query);

/// Which scores count, and what is added to them; both may be empty. They broadcast to [batch, heads, L, S].
struct AttentionMask {
  OutPort keep;  ///< boolean
  OutPort bias;  ///< of the query's type

  void also_keep(Builder& b, OutPort condition) { keep = keep ? b.op("LogicalAnd", {keep, condition}) : condition; }
  void also_add(Builder& b, OutPort more) { bias = bias ? b.op("Add", {bias, more}) : more; }
  /// One number to add to each score; empty when there is neither.
  OutPort sum(Builder& b, OutPort like) const;
};
/// True where key `s` is not behind query `l`, [L, S]; `past` is how many keys came before the first query (may be
/// empty).
OutPort causal_mask(Builder& b, OutPort query_length, OutPort key_length, OutPort past);

/// softmax(Q * K^T * scale + added) * V by ScaledDotProductAttention; a scale of 0 stands for 1 / sqrt(head size),
/// `added` may be empty. Throws UnsupportedForm for a scale of its own with a head size that is not known.
OutPort attend(Builder& b, OutPort query, OutPort key, OutPort value, OutPort added, bool causal, double scale);

}  // namespace mo::onnx

// Shared by the decompositions of attention.
#pragma once

#include <cmath>

#include "core/build/builder.h"

namespace mo::onnx {

/// [batch, length, heads * size] as [batch, heads, length, size].
OutPort split_heads(Builder& b, OutPort x, int64_t heads);
/// [batch, heads, length, size] as [batch, length, heads * size].
OutPort join_heads(Builder& b, OutPort x);
/// Key or value heads, each repeated to match the number of query heads: h0 h0 h1 h1…
OutPort repeat_heads(Builder& b, OutPort x, OutPort query);

/// Which keys a query sees, and what is added to its scores. All but `given` may be empty.
struct AttentionMask {
  OutPort keep;        ///< boolean, broadcast to [batch, heads, L, S]
  OutPort bias;        ///< of the query's type, broadcast to [batch, heads, L, S]
  OutPort open;        ///< boolean, broadcast to [batch, heads, L, 1]: which queries see a key; of use unless `given`
  bool given = false;  ///< keep or bias comes from the model, so that it may hide all keys from a query

  void also_keep(Builder& b, OutPort condition) { keep = keep ? b.op("LogicalAnd", {keep, condition}) : condition; }
  void also_add(Builder& b, OutPort more) { bias = bias ? b.op("Add", {bias, more}) : more; }
  /// The number to add to each score, `hidden` for keys that are not kept; empty if keep and bias are empty.
  OutPort sum(Builder& b, OutPort like, double hidden = -HUGE_VAL) const;
  /// x [batch, heads, L, any] with 0 for the queries from which all keys are hidden: their softmax is NaN.
  OutPort without_hidden(Builder& b, OutPort x) const;
};
/// 0, 1, … length - 1; `length` is i64, of one dimension.
OutPort places_of(Builder& b, OutPort length);
/// The last key that query `l` may see, [L, 1]: `l` plus the number of keys before the first query, unless that is
/// empty.
OutPort last_keys(Builder& b, OutPort query_length, OutPort past);
/// True where key `s` is not after the last one of query `l`, [L, S].
OutPort causal_mask(Builder& b, OutPort key_length, OutPort last_keys);
/// The lowest finite number of the type; that of f32 if the type is not known.
double lowest_number(ElementType type);
/// A number that no element of x is below; -inf if that is not known. Constants and conditions decide it.
double least_number(OutPort x);

/// softmax(Q * K^T * scale + added) * V by ScaledDotProductAttention. A scale of 0 means 1 / sqrt(head size); `added`
/// may be empty. Throws UnsupportedForm for another scale with an unknown head size.
OutPort attend(Builder& b, OutPort query, OutPort key, OutPort value, OutPort added, bool causal, double scale);

}  // namespace mo::onnx

// Shared by the decompositions of attention.
#pragma once

#include <cmath>

#include "core/build/builder.h"

namespace mo::onnx {

/// [batch, length, heads * size] as [batch, heads, length, size].
OutPort split_heads(Builder& b, OutPort x, int64_t heads);
/// [batch, heads, length, size] as [batch, length, heads * size], with 0 where `seeing` is false; it may be empty.
OutPort join_heads(Builder& b, OutPort x, OutPort seeing = {});
/// x [batch, heads, length, size] with 0 where `seeing` is false; it may be empty.
OutPort only_seeing(Builder& b, OutPort x, OutPort seeing);
/// Key or value heads, each repeated to match the number of query heads: h0 h0 h1 h1…
OutPort repeat_heads(Builder& b, OutPort x, OutPort query);

/// Which keys a query sees, and what is added to its scores. All ports may be empty.
struct AttentionMask {
  OutPort keep;          ///< boolean, broadcast to [batch, heads, L, S]
  OutPort bias;          ///< of the query's type, broadcast to [batch, heads, L, S]
  OutPort given;         ///< the mask of the model that keep or bias holds; it may hide all keys from a query
  OutPort open;          ///< which queries see a key by the limits, broadcast to [batch, heads, L, 1]; empty if all do
  bool limited = false;  ///< whether keep has limits besides the mask of the model

  void also_keep(Builder& b, OutPort limit) {
    keep = keep ? b.op("LogicalAnd", {keep, limit}) : limit;
    limited = true;
  }
  void also_add(Builder& b, OutPort more) { bias = bias ? b.op("Add", {bias, more}) : more; }
  /// The number to add to each score, `hidden` for keys that are not kept; empty if keep and bias are empty.
  OutPort sum(Builder& b, OutPort like, double hidden = -HUGE_VAL) const;
  /// Which queries see a key, broadcast to [batch, heads, L, 1]; empty if all do. The softmax of the others is NaN.
  OutPort seeing(Builder& b) const;
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

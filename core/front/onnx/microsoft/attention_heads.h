// Query, key and value of the attentions of com.microsoft.
#pragma once

#include "core/build/builder.h"

namespace mo::onnx {

/// Query, key and value [batch, heads, length, size], and what is known of previous keys and values.
struct AttentionHeads {
  OutPort query, key, value;
  OutPort past_key, past_value;  ///< [batch, heads, number of keys, size]; may be empty
  OutPort past_length;  ///< the number of keys in a past that has room for more; empty if each element of it is a key
  /// [batch, beams, number of keys]: the beam that each previous key of a beam is from; may be empty. The batch of the
  /// heads is batch * beams.
  OutPort beams;
};

/// Parts of x * weights + bias: FusedAttention. They are rotated if the node says so.
AttentionHeads heads_of_projection(Builder& b, const Node& node);
/// Q, K and V [batch, length, heads * size]; K and V, or all three, as [batch, length, heads, 2 or 3, size]; K and V of
/// another attention's past [batch, heads, length, size], which include the bias: MultiHeadAttention.
AttentionHeads heads_of_inputs(Builder& b, const Node& node);

/// The number of previous keys, i64 [1]; empty if there is no past.
OutPort past_length(Builder& b, const AttentionHeads& heads);

struct PresentHeads {
  OutPort key, value;
};
/// Puts the past before key and value. Returns what the past of the next step is.
PresentHeads join_past(Builder& b, AttentionHeads& heads);

}  // namespace mo::onnx

// The previous keys and values of GroupQueryAttention.
#pragma once

#include "core/build/builder.h"

namespace mo::onnx {

/// The inputs of GroupQueryAttention.
enum GroupQueryInput {
  Query,
  Key,
  Value,
  PastKey,
  PastValue,
  Lengths,
  Total,
  Cosine,
  Sine,
  Positions,
  Added,
  Sink,
  KeyScale,
  ValueScale
};

/// Where the past has its keys and values, and where new ones go. It holds exactly the previous ones; or has a fixed
/// size, in which the new ones follow the previous ones; or drops the first ones when it is full
/// (sliding_window_cache), so that a window of keys stays. All three may be quantised.
class PastCache {
 public:
  /// `length`: the number of new keys, an i64 scalar.
  PastCache(Builder& b, const Node& node, OutPort length);

  /// The number of all previous keys, which is the position of the first new one, i64.
  OutPort position() const { return position_; }
  /// The number of previous keys before the new ones, i64.
  OutPort held() const { return held_; }
  /// Whether keys were dropped, so that positions do not count the keys that are held.
  bool drops() const { return bool(kept_); }
  /// Whether attention itself can put the past before the new keys.
  bool is_plain() const { return !roomy_ && !drops() && !quantized_; }
  /// Puts the past before x, and returns what the past of the next step is.
  OutPort join(Builder& b, const Node& node, GroupQueryInput past, OutPort& x) const;

 private:
  OutPort joined(Builder& b, OutPort past, OutPort& x) const;

  OutPort position_, held_;
  OutPort kept_;      ///< how many keys a cache that drops keys has after this step
  OutPort capacity_;  ///< how many it can have
  bool roomy_ = false, quantized_ = false;
};

}  // namespace mo::onnx

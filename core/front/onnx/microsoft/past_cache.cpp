#include "core/front/onnx/microsoft/past_cache.h"

#include <optional>

#include "core/decompose/indexing/rows.h"
#include "core/decompose/shaping/shaping.h"
#include "core/front/onnx/microsoft/quantized_cache.h"
#include "core/rewrite/transform.h"

namespace mo::onnx {
namespace {

/// Whether the past has a fixed size, as the buffers of programs for fixed shapes, which may have room for new keys.
bool may_have_room(const Node& node) {
  if (!node.has_in(PastKey)) return false;
  const PartialShape &query = node.source(Query).tensor().shape, &past = node.source(PastKey).tensor().shape;
  if (query.rank() != 3 || past.rank() != 4 || !query[1].is_exact() || !past[2].is_exact() || past[2].min == 0)
    return false;
  require_input(node, Total);
  const auto& total = node.source(Total).tensor().ints;
  return !total || total->elements.size() != 1 || total->elements[0].min <= past[2].min;
}

/// How many of `seen` keys a cache holds that makes room for capacity - window + 1 keys whenever it is full.
OutPort held_of(Builder& b, OutPort seen, OutPort capacity, int64_t window) {
  const OutPort one = b.i64_scalar(1);
  const OutPort step = b.op("Maximum", {b.op("Sub", {capacity, b.i64_scalar(window - 1)}), one});
  const OutPort beyond = b.op("Maximum", {b.op("Sub", {seen, capacity}), b.i64_scalar(0)});
  const OutPort times = b.op("Div", {b.op("Add", {beyond, b.op("Sub", {step, one})}), step});
  return b.op("Sub", {seen, b.op("Mul", {times, step})});
}

OutPort listed(Builder& b, OutPort scalar) { return b.unsqueeze(scalar, {0}); }

}  // namespace

PastCache::PastCache(Builder& b, const Node& node, OutPort length) {
  quantized_ = node.get_string("k_quant_type", "NONE") != "NONE" || node.get_string("v_quant_type", "NONE") != "NONE";
  if (node.get_bool("sliding_window_cache")) {
    for (const int input : {PastKey, PastValue, Total}) require_input(node, input);
    const int64_t window = node.get_int("local_window_size");
    if (window < 1) throw Error(Code::BadAttribute, msg("local_window_size is ", window));
    const OutPort total = to_i64_scalar(b, node.source(Total));
    capacity_ = dimension_of(b, node.source(PastKey), 2);
    position_ = b.op("Sub", {total, length});
    held_ = held_of(b, position_, capacity_, window);
    kept_ = held_of(b, total, capacity_, window);
    return;
  }
  roomy_ = may_have_room(node);
  if (roomy_)
    position_ = b.op("Sub", {to_i64_scalar(b, node.source(Total)), length});
  else
    position_ = node.has_in(PastKey) ? dimension_of(b, node.source(PastKey), 2) : b.i64_scalar(0);
  held_ = position_;
}

OutPort PastCache::join(Builder& b, const Node& node, GroupQueryInput past, OutPort& x) const {
  const OutPort like = x;
  if (!quantized_) return joined(b, node.source(past), x);
  const bool keys = past == PastKey;
  const QuantizedCache cache =
      quantized_cache(b, node, keys ? "k_quant_type" : "v_quant_type", keys ? KeyScale : ValueScale);
  x = kept(b, x, cache);
  const OutPort present = joined(b, node.source(past), x);
  x = restored(b, x, cache, like);
  return present;
}

OutPort PastCache::joined(Builder& b, OutPort past, OutPort& x) const {
  if (!past) return x;
  if (!roomy_ && !drops()) return x = b.concat({past, x}, 2);
  const OutPort start = b.i64({0}), held = listed(b, held_);
  const OutPort before = between(b, past, start, held, 2), behind = b.i64({INT64_MAX});
  if (roomy_) {
    const OutPort end = b.op("Add", {listed(b, held_), b.dims_of(x, {2})});
    return x = b.concat({before, x, between(b, past, end, behind, 2)}, 2);
  }
  x = b.concat({before, x}, 2);
  const OutPort first = b.op("Sub", {dimension_of(b, x, 2), kept_}), free = b.op("Sub", {capacity_, kept_});
  const OutPort last = between(b, x, listed(b, first), behind, 2);
  const OutPort end = b.concat({b.i64({0, 0}), listed(b, free), b.i64({0})}, 0);
  return b.op("Pad", {last, b.i64({0, 0, 0, 0}), end, b.scalar_like(last, 0)}, {{"mode", "constant"}});
}

}  // namespace mo::onnx

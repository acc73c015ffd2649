// Before: y, present_key, present_value = GroupQueryAttention(query, key, value, past_key, past_value, seqlens_k,
//         total_sequence_length, cos, sin, position_ids, added) {num_heads, kv_num_heads, do_rotary, …}  com.microsoft
// After:  Attention {is_causal, scale, softcap} of the heads, with query and key rotated by their positions; the mask
//         keeps the keys within the length of their row and within the window. A query without a key in its window, or
//         with only keys to which the lowest number or -inf is added, has the result 0.
//         smooth_softmax, which adds 1 to the sum of the powers, is a first key of zeros, whose value is 0; a sink,
//         which adds its power, is such a key to which the sink of its head is added. A past that may have room for
//         more keys, because it and the query have known lengths: the new keys and values follow the previous ones, and
//         what is behind them stays.
//         Quantised keys and values are rounded, put behind those of the past, and restored all together.
//         A cache that drops its first keys when it is full (sliding_window_cache) counts the keys that it holds.
// Conditions: another past holds exactly the previous keys and values; present is past followed by the new ones. No
// norms of query and key.

#include <cmath>

#include "core/decompose/control/nested.h"
#include "core/decompose/shaping/shaping.h"
#include "core/front/onnx/decompose/attention.h"
#include "core/front/onnx/decompose/rotary.h"
#include "core/front/onnx/microsoft/past_cache.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

using enum onnx::GroupQueryInput;

class DecomposeGroupQueryAttention final : public Decomposition {
 public:
  Names ops() const override { return {"GroupQueryAttention"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    refuse_others(node);
    require_input(node, Query);
    require_input(node, Lengths);
    const OutPort length = dimension_of(b, node.source(Query), 1);
    const onnx::PastCache cache(b, node, length);

    std::vector<OutPort> parts = heads_of(b, node);
    if (node.get_bool("do_rotary")) {
      require_input(node, Cosine);
      require_input(node, Sine);
      OutPort positions = node.source(Positions);
      if (!positions) positions = b.unsqueeze(b.op("Add", {counted(b, length), cache.position()}), {0});
      const OutPort cosine = b.unsqueeze(b.gather(node.source(Cosine), positions, 0), {1});
      const OutPort sine = b.unsqueeze(b.gather(node.source(Sine), positions, 0), {1});
      const bool interleaved = node.get_bool("rotary_interleaved");
      for (OutPort* part : {&parts[0], &parts[1]})
        *part = onnx::transposed_and_rotated(b, *part, cosine, sine, rotated_part(node, *part), interleaved);
      parts[2] = b.transpose(parts[2], {0, 2, 1, 3});
    } else {
      for (OutPort& part : parts) part = b.transpose(part, {0, 2, 1, 3});
    }

    OutPort keys_before = node.source(PastKey), values_before = node.source(PastValue), present_key, present_value;
    const bool joined = !cache.is_plain();
    if (joined) {
      present_key = cache.join(b, node, PastKey, parts[1]);
      present_value = cache.join(b, node, PastValue, parts[2]);
      keys_before = values_before = {};
    }
    const OutPort past = cache.held(), total = joined ? dimension_of(b, parts[1], 2) : b.op("Add", {past, length});

    // Keys beyond the length of their row are padding.
    const bool smooth = node.get_int("smooth_softmax") > 0 || node.has_in(Sink);
    const OutPort keys =
        smooth ? b.op("Sub", {counted(b, b.op("Add", {total, b.i64_scalar(1)})), b.i64_scalar(1)}) : counted(b, total);
    OutPort last = b.reshape(b.convert(node.source(Lengths), ElementType::I64), {-1, 1, 1, 1}, false);
    OutPort added = node.source(Added);
    if (cache.drops()) {
      const OutPort dropped = b.op("Sub", {cache.position(), past});
      last = b.op("Sub", {last, dropped});
      if (added) added = b.op("Slice", {added, b.unsqueeze(dropped, {0}), b.i64({INT64_MAX}), b.i64({1}), b.i64({-1})});
    }
    onnx::AttentionMask mask{b.op("LessEqual", {keys, last}), added};
    if (smooth && mask.bias) mask.bias = with_first(b, mask.bias);
    if (node.has_in(Sink)) mask.also_add(b, sinks(b, node.source(Sink), total));
    const int64_t window = node.get_int("local_window_size");
    const bool causal = node.get_bool("causal");
    OutPort queries, row;
    if (window > 0 || (joined && causal)) {
      queries = b.unsqueeze(b.op("Add", {counted(b, length), past}), {1});
      row = b.unsqueeze(keys, {0});
    }
    if (joined && causal) mask.also_keep(b, b.op("LessEqual", {row, queries}));
    if (window > 0) {
      const OutPort start = b.op("Sub", {queries, b.i64_scalar(window)}), late = b.op("Greater", {row, start});
      mask.also_keep(b, smooth ? b.op("LogicalOr", {late, b.op("Less", {row, b.i64_scalar(0)})}) : late);
      if (!smooth) mask.open = b.op("Greater", {last, start});
    }
    if (mask.bias) {
      const OutPort lowest = b.scalar_like(mask.bias, onnx::lowest_number(mask.bias.tensor().type));
      mask.also_keep(b, b.op("Greater", {mask.bias, lowest}));
    }
    const OutPort given = mask.bias ? mask.sum(b, parts[0]) : mask.keep;
    if (smooth) keys_before = behind_zeros(b, parts[1], keys_before);
    if (smooth) values_before = behind_zeros(b, parts[2], values_before);
    std::vector<OutPort> outputs =
        decomposed(b, "Attention", {parts[0], parts[1], parts[2], given, keys_before, values_before},
                   {{"is_causal", causal && !joined},
                    {"scale", node.get_float("scale")},
                    {"softcap", node.get_float("softcap")},
                    {"open_mask", smooth || !mask.bias}},
                   3);
    if (joined) outputs = {outputs[0], present_key, present_value};
    for (size_t i = 1; smooth && !joined && i < outputs.size(); ++i)
      outputs[i] = b.op("Slice", {outputs[i], b.i64({1}), b.i64({INT64_MAX}), b.i64({1}), b.i64({2})});
    const OutPort seeing = mask.bias ? OutPort() : mask.open;
    std::vector<OutPort> all{onnx::join_heads(b, outputs[0], seeing), outputs[1], outputs[2]};
    all.resize(static_cast<size_t>(node.out_count()));
    return all;
  }

 private:
  static void refuse_others(const Node& node) {
    for (int i = ValueScale + 1; i < node.in_count(); ++i)
      if (node.has_in(i)) throw Error(Code::UnsupportedForm, msg("input ", i));
    if (node.has_in(PastKey) != node.has_in(PastValue)) throw Error(Code::MissingInput, "past_key and past_value");
  }

  /// The sink of each head [heads] as numbers for a first key and `count` others, [1, heads, 1, 1 + count].
  static OutPort sinks(Builder& b, OutPort sink, OutPort count) {
    const OutPort first = b.reshape(sink, {1, -1, 1, 1}, false),
                  others = b.concat({b.i64({0, 0, 0}), b.unsqueeze(count, {0})}, 0);
    return b.op("Pad", {first, b.i64({0, 0, 0, 0}), others, b.scalar_like(first, 0)}, {{"mode", "constant"}});
  }

  /// A 0 before the numbers that are added to the scores of each query.
  static OutPort with_first(Builder& b, OutPort added) {
    const int rank = added.tensor().shape.rank();
    if (rank < 1) throw Error(Code::UnsupportedForm, "smooth_softmax of a tensor of unknown rank");
    Ints none(static_cast<size_t>(rank), 0), begin = none;
    begin.back() = 1;
    return b.op("Pad", {added, b.i64(begin), b.i64(none), b.scalar_like(added, 0)}, {{"mode", "constant"}});
  }

  /// The past behind a key or value of zeros for each head of `like` [batch, heads, length, size].
  static OutPort behind_zeros(Builder& b, OutPort like, OutPort past) {
    const OutPort shape = b.concat({b.dims_of(like, {0, 1}), b.i64({1}), b.dims_of(like, {3})}, 0);
    const OutPort zeros = b.op("Broadcast", {b.scalar_like(like, 0), shape}, {{"mode", "numpy"}});
    return past ? b.concat({zeros, past}, 2) : zeros;
  }

  /// The number of rotated elements of a head; 0 if all are.
  static int64_t rotated_part(const Node& node, OutPort heads) {
    const PartialShape &table = node.source(Cosine).tensor().shape, &shape = heads.tensor().shape;
    if (table.rank() != 2 || !table[1].is_exact() || shape.rank() != 4 || !shape[3].is_exact())
      throw Error(Code::UnsupportedForm, "a head size that is not known");
    const int64_t part = (table[1] * 2).min;
    return part < shape[3].min ? part : 0;
  }

  /// Query, key and value as [batch, length, heads, size].
  static std::vector<OutPort> heads_of(Builder& b, const Node& node) {
    const int64_t heads = node.get_int("num_heads"), shared = node.get_int("kv_num_heads");
    if (heads < 1 || shared < 1 || heads > (1 << 20) || heads % shared != 0)
      throw Error(Code::BadAttribute, msg("num_heads is ", heads, ", kv_num_heads ", shared));
    const OutPort query = node.source(Query);
    if (query.tensor().shape.rank() != 3)
      throw Error(Code::UnsupportedForm, msg("attention of a tensor [", to_string(query.tensor().shape), "]"));
    const auto apart = [&](OutPort x, int64_t count) { return b.reshape(x, {0, 0, count, -1}); };
    if (node.has_in(Key) && node.has_in(Value))
      return {apart(query, heads), apart(node.source(Key), shared), apart(node.source(Value), shared)};
    Node& parts = b.split(apart(query, heads + 2 * shared), 2, {heads, shared, shared});
    return {parts.out(0), parts.out(1), parts.out(2)};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeGroupQueryAttention)
}  // namespace mo

// Before: y = restrictedattentioncomponent(x) {num_heads, key_dim, value_dim, time_stride, …}
// After:  for each head key, value, query, context = the parts of x; keys, values = those of all times that are read
//         c = SoftMax(key_scale * query keys' + context); y = c values, with output_context and c behind them
// Conditions: none. Times that are not required give keys and values of 0 where they are missing.

#include "core/front/kaldi/decompose/lowering.h"

namespace mo {
namespace {

class RestrictedAttentionComponentReplacer final : public kaldi::Lowering {
  std::string_view op() const override { return "restrictedattentioncomponent"; }

  OutPort lowered(Builder& b, Node& node) override {
    const int64_t heads = node.get_int("num_heads"), key = node.get_int("key_dim"), value = node.get_int("value_dim");
    const int64_t left = node.get_int("num_left_inputs"), right = node.get_int("num_right_inputs"),
                  stride = node.get_int("time_stride"), times = left + 1 + right;
    const OutPort x = b.reshape(node.source(0), {heads, 1, key + value + key + times});
    Node& parts = b.split(x, 2, {key + value, key + times});
    const OutPort pairs = b.reshape(parts.out(0), {1, heads * (key + value)});
    std::vector<OutPort> frames;
    for (int64_t i = -left; i <= right; ++i) {
      const bool optional =
          i < -node.get_int("num_left_inputs_required") || i > node.get_int("num_right_inputs_required");
      frames.push_back(kaldi::at_offset(b, pairs, i * stride, optional));
    }
    // What the frames are compared with is of the current one: states are rows.
    frames.push_back(b.reshape(parts.out(1), {1, heads * (key + times)}));
    Node& read = b.split(b.concat(frames, 1), 1, {times * heads * (key + value), heads * (key + times)});
    const OutPort around = b.reshape(read.out(0), {times, heads, key + value});
    Node& of_times = b.split(b.transpose(around, {1, 0, 2}), 2, {key, value});
    Node& current = b.split(b.reshape(read.out(1), {heads, 1, key + times}), 2, {key, times});
    const OutPort scale = b.f32_scalar(static_cast<float>(node.get_float("key_scale")));
    const OutPort query = b.op("Mul", {current.out(0), scale});
    const OutPort scores = b.op("Add", {b.matmul({query, of_times.out(0)}, true), current.out(1)});
    const OutPort weights = b.op("SoftMax", {scores}, {{"axis", 2}});
    const OutPort values = b.matmul({weights, of_times.out(1)});
    return b.reshape(node.get_bool("output_context") ? b.concat({values, weights}, 2) : values, {1, -1});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(RestrictedAttentionComponentReplacer)
}  // namespace mo

#include "core/front/onnx/microsoft/attention_heads.h"

#include "core/base/libm.h"
#include "core/decompose/indexing/rows.h"
#include "core/decompose/math/constants.h"
#include "core/front/onnx/decompose/attention.h"
#include "core/front/onnx/decompose/rotary.h"
#include "core/rewrite/transform.h"

namespace mo::onnx {
namespace {

/// Positions times 1 / 10000^(2i / part), as [length, part / 2]: the angles of ONNX Runtime's kernels for Attention,
/// whose model has no tables.
OutPort angles_of(Builder& b, const AttentionHeads& heads, int64_t part) {
  Doubles frequencies;
  for (int64_t i = 0; i < part / 2; ++i)
    frequencies.push_back(libm::pow(10000, -2.0 * static_cast<double>(i) / static_cast<double>(part)));
  OutPort positions = places_of(b, b.dims_of(heads.query, {2}));
  if (const OutPort past = past_length(b, heads)) positions = b.op("Add", {positions, past});
  const OutPort times = b.unsqueeze(b.convert(positions, ElementType::F32), {1});
  return b.op("Mul", {times, precise_constant(b, ElementType::F32, {1, part / 2}, frequencies)});
}

void rotate(Builder& b, const Node& node, AttentionHeads& heads) {
  const PartialShape& shape = heads.query.tensor().shape;
  if (shape.rank() != 4 || !shape[3].is_exact())
    throw Error(Code::UnsupportedForm, "rotation with a head size that is not known");
  const int64_t size = shape[3].min, given = node.get_int("rotary_embedding_dim"), part = given == 0 ? size : given;
  if (part < 2 || part % 2 != 0 || part > size)
    throw Error(Code::BadAttribute, msg("rotary_embedding_dim is ", given, " for heads of ", size));
  const OutPort angles = angles_of(b, heads, part);
  const auto table = [&](const char* op) {
    return b.unsqueeze(convert_like(b, b.op(op, {angles}), heads.query), {0, 1});
  };
  const OutPort cosine = table("Cos"), sine = table("Sin");
  heads.query = rotated(b, heads.query, cosine, sine, part < size ? part : 0, false);
  heads.key = rotated(b, heads.key, cosine, sine, part < size ? part : 0, false);
}

/// Previous keys [batch * beams, heads, length, size], each from the beam that it belongs to.
OutPort of_beams(Builder& b, OutPort past, OutPort beams) {
  const OutPort from = b.convert(beams, ElementType::I64);
  const OutPort shape = b.concat({b.dims_of(from, {0, 1}), b.dims_of(past, {1, 2, 3})}, 0);
  const OutPort apart = b.op("Reshape", {past, shape}, {{"special_zero", false}});
  const OutPort indices = b.op("Broadcast", {b.unsqueeze(from, {2, 4}), shape}, {{"mode", "numpy"}});
  const OutPort taken = b.op("GatherElements", {apart, indices}, {{"axis", int64_t{1}}});
  return b.op("Reshape", {taken, b.shape_of(past)}, {{"special_zero", false}});
}

OutPort first_of(Builder& b, OutPort x, OutPort count) { return between(b, x, b.i64({0}), count, 2); }

}  // namespace

AttentionHeads heads_of_projection(Builder& b, const Node& node) {
  require_input(node, 0);
  require_input(node, 1);
  OutPort all = b.matmul({node.source(0), node.source(1)});
  if (node.has_in(2)) all = b.op("Add", {all, node.source(2)});
  const Ints sizes = node.get_ints("qkv_hidden_sizes");
  Node& parts = sizes.empty() ? b.node("Split", {all, b.i64_scalar(2)}, {{"num_splits", int64_t{3}}}, 3)
                              : b.node("VariadicSplit", {all, b.i64_scalar(2), b.i64(sizes)}, {}, 3);
  const int64_t count = node.get_int("num_heads");
  AttentionHeads heads;
  heads.query = split_heads(b, parts.out(0), count);
  heads.key = split_heads(b, parts.out(1), count);
  heads.value = split_heads(b, parts.out(2), count);
  if (node.has_in(4)) {
    heads.past_key = b.gather(node.source(4), b.i64_scalar(0), 0);
    heads.past_value = b.gather(node.source(4), b.i64_scalar(1), 0);
  }
  if (node.get_bool("past_present_share_buffer")) {
    require_input(node, 6);
    heads.past_length = node.source(6);
  }
  if (node.get_bool("do_rotary")) rotate(b, node, heads);
  return heads;
}

AttentionHeads heads_of_inputs(Builder& b, const Node& node) {
  require_input(node, 0);
  const int64_t heads = node.get_int("num_heads");
  OutPort parts[3];
  int64_t from = 0;
  for (int i = 0; i < 3; ++i) {
    int input = i;
    while (!node.has_in(input)) --input;
    OutPort x = node.source(input);
    const PartialShape& shape = x.tensor().shape;
    const int rank = shape.rank();
    if (rank == 5)
      x = b.gather(x, b.i64_scalar(i - input), 3);
    else if (input != i || (rank != 3 && rank != 4))
      throw Error(Code::UnsupportedForm, msg("attention of a tensor [", to_string(shape), "]"));
    if (rank != 4 && node.has_in(3)) {
      const Dimension size = rank == 3 ? shape[2] : shape[4] * Dimension(heads);
      if (!size.is_exact()) throw Error(Code::UnsupportedForm, "a hidden size that is not known");
      const OutPort bias =
          b.op("Slice", {node.source(3), b.i64({from}), b.i64({from + size.min}), b.i64({1}), b.i64({0})});
      x = b.op("Add", {x, rank == 3 ? bias : b.reshape(bias, {heads, -1}, false)});
      from += size.min;
    }
    parts[i] = rank == 3 ? split_heads(b, x, heads) : rank == 5 ? b.transpose(x, {0, 2, 1, 3}) : x;
  }
  return {parts[0], parts[1], parts[2], node.source(6), node.source(7), node.source(8), node.source(9)};
}

OutPort past_length(Builder& b, const AttentionHeads& heads) {
  if (!heads.past_key) return {};
  if (!heads.past_length) return b.dims_of(heads.past_key, {2});
  return b.reshape(b.convert(heads.past_length, ElementType::I64), {1}, false);
}

PresentHeads join_past(Builder& b, AttentionHeads& heads) {
  if (heads.past_key && heads.past_length) {
    const OutPort past = past_length(b, heads), length = b.dims_of(heads.key, {2});
    const OutPort places = b.op("Add", {places_of(b, length), past}), end = b.op("Add", {past, length});
    const auto joined = [&](OutPort before, OutPort& x) {
      const OutPort present = b.op("ScatterUpdate", {before, places, x, b.i64_scalar(2)});
      if (!heads.beams) {
        x = first_of(b, present, end);
        return present;
      }
      const OutPort kept = first_of(b, before, past), beams = first_of(b, heads.beams, past);
      x = b.concat({of_beams(b, kept, beams), x}, 2);
      return present;
    };
    const OutPort key = joined(heads.past_key, heads.key);
    return {key, joined(heads.past_value, heads.value)};
  }
  if (heads.past_key) {
    heads.key = b.concat({heads.past_key, heads.key}, 2);
    heads.value = b.concat({heads.past_value, heads.value}, 2);
  }
  return {heads.key, heads.value};
}

}  // namespace mo::onnx

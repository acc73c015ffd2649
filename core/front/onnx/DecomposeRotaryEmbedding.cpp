// Before: y = RotaryEmbedding(x, cos, sin, position_ids) {num_heads, rotary_embedding_dim, interleaved}
// After:  y = [x1 * cos - x2 * sin, x1 * sin + x2 * cos, the rest]: x1 and x2 are the halves, or the even and odd
// elements, of
//         the rotated part of each head
// Conditions: the rank is known.

#include "core/front/onnx/attention.h"
#include "core/pipeline/transform.h"

namespace mo {
namespace {

class DecomposeRotaryEmbedding final : public Decomposition {
 public:
  Names ops() const override { return {"RotaryEmbedding"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0);
    const int rank = x.tensor().shape.rank();
    if (rank != 3 && rank != 4) throw Error(Code::UnsupportedForm, cat("rotation of a tensor of rank ", rank));
    const OutPort heads =
        rank == 3 ? with_heads(b, node, x) : x;  // [batch, length, heads, size] or [batch, heads, length, size]
    const int64_t aside = rank == 3 ? 2 : 1;
    const OutPort cosine = b.unsqueeze(cache(b, node, 1), {aside}), sine = b.unsqueeze(cache(b, node, 2), {aside});

    const int64_t part = node.get_int("rotary_embedding_dim");
    OutPort rotated = heads, rest;
    if (part > 0) {
      rotated = slice(b, heads, 0, part);
      rest = slice(b, heads, part, INT64_MAX);
    }
    const bool interleaved = node.get_bool("interleaved");
    Node& halves = interleaved ? b.node("Split", {b.reshape(rotated, {0, 0, 0, -1, 2}), b.i64_scalar(4)},
                                        {{"num_splits", int64_t{2}}}, 2)
                               : b.node("Split", {rotated, b.i64_scalar(3)}, {{"num_splits", int64_t{2}}}, 2);
    const OutPort x1 = interleaved ? b.squeeze(halves.out(0), {4}) : halves.out(0),
                  x2 = interleaved ? b.squeeze(halves.out(1), {4}) : halves.out(1);
    const OutPort real = b.op("Sub", {b.op("Mul", {x1, cosine}), b.op("Mul", {x2, sine})});
    const OutPort imaginary = b.op("Add", {b.op("Mul", {x1, sine}), b.op("Mul", {x2, cosine})});
    OutPort y = interleaved
                    ? b.reshape(b.concat({b.unsqueeze(real, {4}), b.unsqueeze(imaginary, {4})}, 4), {0, 0, 0, -1})
                    : b.concat({real, imaginary}, 3);
    if (rest) y = b.concat({y, rest}, 3);
    return {rank == 3 ? b.reshape(y, {0, 0, -1}) : y};
  }

 private:
  static OutPort with_heads(Builder& b, const Node& node, OutPort x) {
    const int64_t heads = node.get_int("num_heads");
    if (heads < 1) throw Error(Code::BadAttribute, cat("num_heads is ", heads));
    return b.reshape(x, {0, 0, heads, -1});
  }
  static OutPort cache(Builder& b, const Node& node, int input) {
    return node.has_in(3) ? b.gather(node.source(input), node.source(3), 0) : node.source(input);
  }
  static OutPort slice(Builder& b, OutPort x, int64_t from, int64_t to) {
    return b.op("Slice", {x, b.i64({from}), b.i64({to}), b.i64({1}), b.i64({3})});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeRotaryEmbedding)
}  // namespace mo

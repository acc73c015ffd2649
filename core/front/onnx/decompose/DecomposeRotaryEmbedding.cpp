// Before: y = RotaryEmbedding(x, cos, sin, position_ids) {num_heads, rotary_embedding_dim, interleaved}
//         y = FusedRotaryEmbedding(x, position_ids, cos, sin)    com.microsoft; ids, or the first position
// After:  y = [x1 * cos - x2 * sin, x1 * sin + x2 * cos, the rest], where x1 and x2 are the halves, or the even and odd
//         elements, of the rotated part of each head [batch, heads, length, size]: the layer RoPE of the runtime
// Conditions: the rank is known; for com.microsoft, no packed batches and no scale.

#include "core/decompose/shaping/shaping.h"
#include "core/front/onnx/decompose/attention.h"
#include "core/front/onnx/decompose/rotary.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeRotaryEmbedding final : public Decomposition {
 public:
  Names ops() const override { return {"RotaryEmbedding", "FusedRotaryEmbedding"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const bool fused = node.op() == "FusedRotaryEmbedding";
    for (int i = 0; fused && i < 4; ++i) require_input(node, i);
    if (node.get_bool("is_packed_batching") || node.get_float("scale", 1) != 1)
      throw Error(Code::UnsupportedForm, "packed batches, or a scale");
    const OutPort x = node.source(0);
    const int rank = x.tensor().shape.rank();
    if (rank != 3 && rank != 4) throw Error(Code::UnsupportedForm, msg("rotation of a tensor of rank ", rank));
    const OutPort heads = rank == 3 ? with_heads(b, node, x, fused) : x;  // [batch, length, heads, size] of rank 3
    const OutPort positions = fused ? position_ids(b, node, heads, rank == 3 ? 1 : 2) : node.source(3);
    const auto cache = [&](int input) {
      const OutPort table = node.source(fused ? input + 1 : input);
      return b.unsqueeze(positions ? b.gather(table, positions, 0) : table, {1});
    };
    const int64_t part = node.get_int("rotary_embedding_dim");
    const OutPort cosine = cache(1), sine = cache(2);
    if (rank == 4) return {onnx::rotated(b, heads, cosine, sine, part, node.get_bool("interleaved"))};
    const OutPort y = onnx::transposed_and_rotated(b, heads, cosine, sine, part, node.get_bool("interleaved"));
    return {onnx::join_heads(b, y)};
  }

 private:
  static OutPort with_heads(Builder& b, const Node& node, OutPort x, bool fused) {
    const int64_t heads = node.get_int("num_heads");
    if (heads > 0) return b.reshape(x, {0, 0, heads, -1});
    const PartialShape& table = node.source(2).tensor().shape;
    if (!fused || heads < 0) throw Error(Code::BadAttribute, msg("num_heads is ", heads));
    if (table.rank() != 2 || !table[1].is_exact() || table[1].min < 1)
      throw Error(Code::UnsupportedForm, "a head size that is not known");
    return b.reshape(x, {0, 0, -1, (table[1] * 2).min});
  }

  /// [batch, length]; a single number is the first position.
  static OutPort position_ids(Builder& b, const Node& node, OutPort x, int64_t length_axis) {
    const OutPort ids = node.source(1);
    const PartialShape& shape = ids.tensor().shape;
    if (shape.rank() != 1) return ids;
    const OutPort range = counted(b, dimension_of(b, x, length_axis));
    return b.unsqueeze(b.op("Add", {range, b.convert(ids, ElementType::I64)}), {0});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeRotaryEmbedding)
}  // namespace mo

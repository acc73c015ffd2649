// Before: Y [B, T, Hq * dv], present = LinearAttention(Q [B, T, Hq * dk], K [B, T, H * dk], V [B, T, H * dv], past,
//         decay, beta) {q_num_heads, kv_num_heads, update_rule, scale}
// After:  a TensorIterator over T that carries the state S [B, H, dk, dv]: S *= exp(decay); S += K^T * (V, or with a
//         delta rule (V - K * S) * beta); Y = Q * S * scale, with the queries of a head's group as rows
// Conditions: without the attribute scale, the head size dk is known.

#include <cmath>

#include "core/build/loop_builder.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

OutPort multiplied(Builder& b, OutPort left, OutPort right, bool transpose_left) {
  return b.op("MatMul", {left, right}, {{"transpose_a", transpose_left}, {"transpose_b", false}});
}

class DecomposeLinearAttention final : public Decomposition {
 public:
  Names ops() const override { return {"LinearAttention"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const std::string rule = node.get_string("update_rule");
    const bool gated = rule == "gated" || rule == "gated_delta", delta = rule == "delta" || rule == "gated_delta";
    if (!gated && !delta && rule != "linear") throw Error(Code::BadAttribute, msg("update_rule is ", rule));
    const int64_t heads = node.get_int("kv_num_heads"), query_heads = node.get_int("q_num_heads");
    if (heads < 1 || query_heads < 1 || query_heads % heads != 0)
      throw Error(Code::BadAttribute, msg("q_num_heads is ", query_heads, ", kv_num_heads ", heads));

    // [B, T, H, rows, columns]: the heads are batches of matrices.
    const OutPort query = b.reshape(node.source(0), {0, 0, heads, query_heads / heads, -1}),
                  key = b.reshape(node.source(1), {0, 0, heads, 1, -1}),
                  value = b.reshape(node.source(2), {0, 0, heads, 1, -1});
    LoopBuilder loop(b);
    Builder& body = loop.body();
    const OutPort q = loop.each(query, 1), k = loop.each(key, 1), v = loop.each(value, 1);
    const OutPort before = loop.state(node.has_in(3) ? node.source(3) : zeros(b, key, value));
    OutPort state = before, added = v;
    if (gated) {
      require_input(node, 4);
      const OutPort decay = b.op("Exp", {b.reshape(node.source(4), {0, 0, heads, -1, 1})});
      state = body.op("Mul", {state, loop.each(decay, 1)});
    }
    if (delta) {
      require_input(node, 5);
      const OutPort beta = loop.each(b.reshape(node.source(5), {0, 0, -1, 1, 1}), 1);
      added = body.op("Mul", {body.op("Sub", {v, multiplied(body, k, state, false)}), beta});
    }
    state = body.op("Add", {state, multiplied(body, k, added, true)});
    const OutPort read = loop.collect(multiplied(body, q, state, false), 1), present = loop.carry(before, state);
    loop.finish();
    const OutPort scaled = b.op("Mul", {read, b.scalar_like(read, scale_of(node, query))});
    return {b.reshape(scaled, {0, 0, -1}), present};
  }

 private:
  static double scale_of(const Node& node, OutPort query) {
    if (const double scale = node.get_float("scale"); scale != 0) return scale;
    const PartialShape& shape = query.tensor().shape;
    if (!shape.has_rank() || !shape[4].is_exact() || shape[4].min < 1)
      throw Error(Code::UnsupportedForm, "a head size that is not known");
    return 1 / std::sqrt(static_cast<double>(shape[4].min));
  }

  static OutPort zeros(Builder& b, OutPort key, OutPort value) {
    const OutPort shape = b.concat({b.dims_of(key, {0, 2, 4}), b.dims_of(value, {4})}, 0);
    return b.op("Broadcast", {b.scalar_like(key, 0), shape}, {{"mode", "numpy"}});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeLinearAttention)
}  // namespace mo

// ScaledDotProductAttention (opset13): query [N…, L, E], key [N…, S, E], value [N…, S, Ev], mask (optional, broadcast
// to [N…, L, S]; boolean, or added), scale (optional, one number); attribute causal.

#include "core/ops/op_def.h"

namespace mo {
namespace {

void infer_scaled_dot_product_attention(InferContext& c) {
  for (int i = 0; i < 3; ++i) c.require_rank(i, 3);
  const PartialShape &query = c.shape(0), &key = c.shape(1), &value = c.shape(2);
  const auto misfit = [&] {
    c.fail(Code::ShapeMismatch,
           msg("query [", to_string(query), "], key [", to_string(key), "], value [", to_string(value), "]"));
  };
  const auto end = [](const PartialShape& shape, size_t from_last) {
    return shape[shape.dimensions().size() - from_last];
  };
  if (query.has_rank() && key.has_rank() && !intersect(end(query, 1), end(key, 1))) misfit();
  if (key.has_rank() && value.has_rank() && !intersect(end(key, 2), end(value, 2))) misfit();
  if (!query.has_rank() || !value.has_rank()) return c.set(0, {}, c.type(0));
  const auto batch = [](const PartialShape& shape) {
    return PartialShape(std::vector<Dimension>(shape.dimensions().begin(), shape.dimensions().end() - 2));
  };
  PartialShape out = broadcast(batch(query), batch(value));
  if (key.has_rank()) out = broadcast(out, batch(key));
  out.dimensions().push_back(end(query, 2));
  out.dimensions().push_back(end(value, 1));
  c.set(0, out, c.type(0));
}

void attributes_scaled_dot_product_attention(const Node& n, IrAttributes& a) { a.add("causal", n.get_bool("causal")); }

constexpr OpDef kScaledDotProductAttentionDefs[] = {
    {.op = "ScaledDotProductAttention",
     .type = "ScaledDotProductAttention",
     .version = "opset13",
     .infer = infer_scaled_dot_product_attention,
     .ir_attributes = attributes_scaled_dot_product_attention,
     .layout = {LayoutClass::Reshapes, {}}},
};

}  // namespace

OpFamily ops_ScaledDotProductAttention() { return kScaledDotProductAttentionDefs; }

}  // namespace mo

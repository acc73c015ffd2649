// BatchNormInference (opset5): data [N, C, …], gamma [C], beta [C], mean [C], variance [C]; attribute epsilon.

#include "core/ops/spatial.h"

namespace mo {
namespace {

void infer_batch_norm(InferContext& c) {
  c.require_rank(0, 2);
  PartialShape out = c.shape(0);
  const size_t channel = out.has_rank() ? spatial_dims(c.node(), out.dimensions().size()).channel : 1;
  for (int i = 1; i < 5; ++i) {
    c.require_rank(i, 1, 1);
    if (!out.has_rank() || !c.shape(i).has_rank()) continue;
    const auto channels = intersect(out[channel], c.shape(i)[0]);
    if (!channels)
      c.fail(Code::ShapeMismatch,
             msg("input ", i, " is [", to_string(c.shape(i)), "], the data [", to_string(out), "]"));
    out[channel] = *channels;
  }
  c.set(0, out, c.type(0));
}

void attributes_batch_norm(const Node& n, IrAttributes& a) { a.add("epsilon", n.get_float("epsilon", 1e-5)); }

constexpr OpDef kBatchNormInferenceDefs[] = {
    {.op = "BatchNormInference",
     .type = "BatchNormInference",
     .version = "opset5",
     .infer = infer_batch_norm,
     .ir_attributes = attributes_batch_norm,
     .layout = spatial_layout()},
};

}  // namespace

OpFamily ops_BatchNormInference() { return kBatchNormInferenceDefs; }

}  // namespace mo

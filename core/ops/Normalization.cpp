// MVN (opset6): data, axes; attributes eps, normalize_variance, eps_mode (inside_sqrt | outside_sqrt).
// LRN (opset1): data, axes; attributes alpha, beta, bias, size.
// GroupNormalization (opset12): data [N, C, …], scale [C], bias [C]; attributes num_groups, epsilon.

#include "core/ops/spatial.h"

namespace mo {
namespace {

void infer_normalization(InferContext& c) {
  const int rank = c.shape(0).rank();
  c.require_rank(1, 0, 1);
  if (const auto axes = c.exact_ints(1); axes && rank >= 0)
    for (const int64_t axis : *axes) normalize_axis(axis, rank);
  c.set(0, c.shape(0), c.type(0));
}

void infer_lrn(InferContext& c) {
  if (c.shape(0).rank() > 1) spatial_dims(c.node(), c.shape(0).dimensions().size());  // throws for invalid ones
  infer_normalization(c);
}

void infer_group_normalization(InferContext& c) {
  c.require_rank(0, 2);
  const int64_t groups = c.node().get_int("num_groups");
  PartialShape out = c.shape(0);
  const size_t channel = out.has_rank() ? spatial_dims(c.node(), out.dimensions().size()).channel : 1;
  for (int i = 1; i < 3; ++i) {
    c.require_rank(i, 1, 1);
    if (!out.has_rank() || !c.shape(i).has_rank()) continue;
    const auto channels = intersect(out[channel], c.shape(i)[0]);
    if (!channels)
      c.fail(Code::ShapeMismatch,
             msg("input ", i, " is [", to_string(c.shape(i)), "], the data [", to_string(out), "]"));
    out[channel] = *channels;
  }
  if (groups < 1 || (out.has_rank() && out[channel].is_exact() && out[channel].min % groups != 0))
    c.fail(Code::BadAttribute, msg("num_groups is ", groups, ", the data is [", to_string(out), "]"));
  c.set(0, out, c.type(0));
}

void attributes_mvn(const Node& n, IrAttributes& a) {
  a.add("eps", n.get_float("eps"));
  a.add("normalize_variance", n.get_bool("normalize_variance", true));
  a.add("eps_mode", n.get_string("eps_mode", "inside_sqrt") == "inside_sqrt" ? "INSIDE_SQRT" : "OUTSIDE_SQRT");
}
void attributes_lrn(const Node& n, IrAttributes& a) {
  a.add("alpha", n.get_float("alpha"));
  a.add("beta", n.get_float("beta"));
  a.add("bias", n.get_float("bias", 1));
  a.add("size", n.get_int("size"));
}
void attributes_group_normalization(const Node& n, IrAttributes& a) {
  a.add("num_groups", n.get_int("num_groups"));
  a.add("epsilon", n.get_float("epsilon", 1e-5));
}

constexpr Layout kNormalizationLayout{LayoutClass::Follows, {{LayoutRule::Kind::Axis, {}, 1}}};
/// The runtime computes LRN only across the channels of [N, C, spatial…].
constexpr Layout kLrnLayout = spatial_layout(1, LayoutRule::Kind::Axis);
constexpr OpDef kNormalizationDefs[] = {
    {.op = "MVN",
     .type = "MVN",
     .version = "opset6",
     .infer = infer_normalization,
     .ir_attributes = attributes_mvn,
     .layout = kNormalizationLayout},
    {.op = "LRN",
     .type = "LRN",
     .version = "opset1",
     .infer = infer_lrn,
     .ir_attributes = attributes_lrn,
     .layout = kLrnLayout},
    {.op = "GroupNormalization",
     .type = "GroupNormalization",
     .version = "opset12",
     .infer = infer_group_normalization,
     .ir_attributes = attributes_group_normalization,
     .layout = spatial_layout()},
};

}  // namespace

OpFamily ops_Normalization() { return kNormalizationDefs; }

}  // namespace mo

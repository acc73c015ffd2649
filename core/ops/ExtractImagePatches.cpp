// ExtractImagePatches (opset3): data [N, C, H, W]; the result has patches as channels, their elements in the order of
// rows, columns, channels. Attributes: sizes, strides, dilations, auto_pad (same_upper, same_lower, valid).

#include "core/ops/spatial.h"

namespace mo {
namespace {

void infer_patches(InferContext& c) {
  c.require_rank(0, 4, 4);
  const Node& node = c.node();
  const Ints sizes = node.get_ints("sizes");
  PartialShape out = c.shape(0);
  if (!out.has_rank()) out = PartialShape::of_rank(4);
  if (sizes.size() != 2) c.fail(Code::BadAttribute, cat("patches of ", sizes.size(), " dimensions"));
  const SpatialDims dims = spatial_dims(node, 4);
  for (size_t i = 0; i < 2; ++i) {
    if (sizes[i] < 1 || sizes[i] > INT32_MAX) c.fail(Code::BadAttribute, cat("a patch has a dimension of ", sizes[i]));
    Dimension& d = out[dims.spatial[i]];
    d = SpatialWindow(node, i, sizes[i]).output(d);
    out[dims.channel] = out[dims.channel] * sizes[i];
  }
  c.set(0, out, c.type(0));
}

void attributes_patches(const Node& n, IrAttributes& a) {
  a.add("sizes", n.get_ints("sizes"));
  a.add("strides", n.get_ints("strides"));
  a.add("rates", n.get_ints("dilations"));
  a.add("auto_pad", n.get_string("auto_pad"));
}

constexpr OpDef kPatchesDefs[] = {
    {.op = "ExtractImagePatches",
     .type = "ExtractImagePatches",
     .version = "opset3",
     .infer = infer_patches,
     .ir_attributes = attributes_patches,
     .layout = spatial_layout()},
};

}  // namespace

OpFamily ops_ExtractImagePatches() { return kPatchesDefs; }

}  // namespace mo

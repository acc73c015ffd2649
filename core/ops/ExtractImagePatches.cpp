// ExtractImagePatches (opset3): data [N, C, H, W]; the result has patches as channels, their elements in the order of
// rows, columns, channels. Attributes: sizes, strides, dilations, auto_pad (same_upper, same_lower, valid).

#include "core/ops/spatial.h"
#include "core/ops/window.h"

namespace mo {
namespace {

void infer_patches(InferContext& c) {
  c.require_rank(0, 4, 4);
  const Node& node = c.node();
  const Ints sizes = node.get_ints("sizes");
  PartialShape out = c.shape(0);
  if (!out.has_rank()) out = PartialShape::of_rank(4);
  if (sizes.size() != 2) c.fail(Code::BadAttribute, msg("patches of ", sizes.size(), " dimensions"));
  const SpatialDims dims = spatial_dims(node, 4);
  const SpatialWindow window(node, 2);
  for (size_t i = 0; i < 2; ++i) {
    if (sizes[i] < 1 || sizes[i] > INT32_MAX) c.fail(Code::BadAttribute, msg("a patch has a dimension of ", sizes[i]));
    Dimension& d = out[dims.spatial[i]];
    d = window.axis(i).output(d);
    out[dims.channel] = out[dims.channel] * sizes[i];
  }
  c.set(0, out, c.type(0));
}

void attributes_patches(const Node& n, IrAttributes& a) {
  const SpatialWindow window(n, 2);
  a.add("sizes", window.kernel);
  a.add("strides", window.strides);
  a.add("rates", window.dilations);
  a.add("auto_pad", name_of(window.auto_pad));
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

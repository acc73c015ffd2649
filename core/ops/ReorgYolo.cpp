// ReorgYolo (opset2): [N, C, H, W] becomes [N, C * stride², H / stride, W / stride].

#include "core/ops/detection.h"
#include "core/ops/known.h"
#include "core/ops/spatial.h"

namespace mo {
namespace {

void infer_reorg_yolo(InferContext& c) {
  require_inputs(c, 1);
  c.require_rank(0, 4, 4);
  const int64_t stride = count_of(c, "stride", 1);
  const SpatialDims dims = spatial_dims(c.node(), 4);
  if (!c.shape(0).has_rank()) return c.set(0, PartialShape::of_rank(4), c.type(0));
  std::vector<Dimension> out = c.shape(0).dimensions();
  const Interval square = Interval(stride) * Interval(stride);
  if (out[dims.channel].max < square.min)
    c.fail(Code::ShapeMismatch, msg(to_string(out[dims.channel]), " channels, stride ", stride));
  out[dims.channel] = to_dimension(out[dims.channel] * square);
  for (const size_t axis : dims.spatial) {
    if (out[axis].is_exact() && out[axis].min % stride != 0)
      c.fail(Code::ShapeMismatch, msg("size ", to_string(out[axis]), " is no multiple of stride ", stride));
    out[axis] = floor_div(out[axis], stride);
  }
  c.set(0, out, c.type(0));
}

void attributes_reorg_yolo(const Node& n, IrAttributes& a) { a.add("stride", n.get_int("stride", 1)); }

constexpr OpDef kReorgYoloDefs[] = {
    {.op = "ReorgYolo",
     .type = "ReorgYolo",
     .version = "opset2",
     .infer = infer_reorg_yolo,
     .ir_attributes = attributes_reorg_yolo,
     .layout = spatial_layout()},
};

}  // namespace

OpFamily ops_ReorgYolo() { return kReorgYoloDefs; }

}  // namespace mo

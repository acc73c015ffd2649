// GridSample (opset9): data [N, C, H, W], grid [N, H_out, W_out, 2]; attributes align_corners, mode (bilinear | nearest
// | bicubic), padding_mode (zeros | border | reflection).

#include "core/ops/spatial.h"

namespace mo {
namespace {

void infer_grid_sample(InferContext& c) {
  c.require_rank(0, 4, 4);
  c.require_rank(1, 4, 4);
  const PartialShape &data = c.shape(0), &grid = c.shape(1);
  const SpatialDims dims = spatial_dims(c.node(), 4);
  std::vector<Dimension> out(4, kAnyDimension);
  if (data.has_rank()) out[dims.batch] = data[dims.batch], out[dims.channel] = data[dims.channel];
  if (grid.has_rank()) {
    const auto batch = intersect(out[dims.batch], grid[0]);
    if (!batch || !intersect(grid[3], 2))
      c.fail(Code::ShapeMismatch, msg("data [", to_string(data), "], grid [", to_string(grid), "]"));
    out[dims.batch] = *batch, out[dims.spatial[0]] = grid[1], out[dims.spatial[1]] = grid[2];
  }
  c.set(0, out, c.type(0));
}

void attributes_grid_sample(const Node& n, IrAttributes& a) {
  a.add("align_corners", n.get_bool("align_corners"));
  a.add("mode", n.get_string("mode", "bilinear"));
  a.add("padding_mode", n.get_string("padding_mode", "zeros"));
}

constexpr OpDef kGridSampleDefs[] = {
    {.op = "GridSample",
     .type = "GridSample",
     .version = "opset9",
     .infer = infer_grid_sample,
     .ir_attributes = attributes_grid_sample,
     .layout = spatial_layout(1)},
};

}  // namespace

OpFamily ops_GridSample() { return kGridSampleDefs; }

}  // namespace mo

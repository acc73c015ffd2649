// GridSample (opset9): data [N, C, H, W], grid [N, H_out, W_out, 2]; attributes align_corners, mode (bilinear | nearest |
// bicubic), padding_mode (zeros | border | reflection).

#include "core/ops/op_def.h"

namespace mo {
namespace {

void infer_grid_sample(InferContext& c) {
  c.require_rank(0, 4, 4);
  c.require_rank(1, 4, 4);
  const PartialShape &data = c.shape(0), &grid = c.shape(1);
  std::vector<Dimension> out(4, kAnyDimension);
  if (data.has_rank()) out[0] = data[0], out[1] = data[1];
  if (grid.has_rank()) {
    const auto batch = intersect(out[0], grid[0]);
    if (!batch || !intersect(grid[3], 2)) c.fail(Code::ShapeMismatch, cat("data [", to_string(data), "], grid [", to_string(grid), "]"));
    out[0] = *batch, out[2] = grid[1], out[3] = grid[2];
  }
  c.set(0, out, c.type(0));
}

void attributes_grid_sample(const Node& n, IrAttributes& a) {
  a.add("align_corners", n.get_bool("align_corners"));
  a.add("mode", n.get_string("mode", "bilinear"));
  a.add("padding_mode", n.get_string("padding_mode", "zeros"));
}

const OpDef kGridSampleDefs[] = {
    {.op = "GridSample", .type = "GridSample", .version = "opset9", .infer = infer_grid_sample,
     .ir_attributes = attributes_grid_sample, .layout = {LayoutClass::Reshapes, {}}},
};

}  // namespace

OpFamily ops_GridSample() { return kGridSampleDefs; }

}  // namespace mo

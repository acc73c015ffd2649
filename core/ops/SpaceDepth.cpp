// SpaceToDepth, DepthToSpace (opset1): data [N, C, spatial…]; attributes block_size, mode (blocks_first, depth_first).
// SpaceToBatch (opset2): data, block shape, pads_begin, pads_end. BatchToSpace (opset2): data, block shape,
// crops_begin, crops_end. All inputs except the data have one number for each dimension of the data.

#include "core/ops/known.h"
#include "core/ops/spatial.h"

namespace mo {
namespace {

/// The dimension divided by `parts`, which must divide it.
Dimension divide_evenly(const InferContext& c, Dimension d, int64_t parts) {
  if (d.is_exact() && d.min % parts != 0) c.fail(Code::ShapeMismatch, msg(d.min, " is not a multiple of ", parts));
  return {ceil_div(d.min, parts).min, d.max == Interval::kInfinity ? d.max : d.max / parts};
}

void infer_depth_space(InferContext& c) {
  require_inputs(c, 1);
  c.require_rank(0, 3);
  PartialShape out = c.shape(0);
  const int64_t block = c.node().get_int("block_size", 1);
  if (block < 1 || block > 1 << 20) c.fail(Code::BadAttribute, msg("block_size is ", block));
  if (out.has_rank()) {
    const bool to_depth = c.node().op() == "SpaceToDepth";
    Interval volume = 1;
    const SpatialDims dims = spatial_dims(c.node(), out.dimensions().size());
    for (const size_t i : dims.spatial) {
      volume = volume * block;
      out[i] = to_depth ? divide_evenly(c, out[i], block) : out[i] * block;
    }
    Dimension& channels = out[dims.channel];
    channels = to_depth ? channels * volume : divide_evenly(c, channels, volume.min);
  }
  c.set(0, out, c.type(0));
}
void attributes_depth_space(const Node& n, IrAttributes& a) {
  a.add("block_size", n.get_int("block_size", 1));
  a.add("mode", n.get_string("mode", "blocks_first"));
}

void infer_batch_space(InferContext& c) {
  const PartialShape& data = c.shape(0);
  const auto block = c.exact_ints(1);
  const auto begin = elements_of(c, 2), end = elements_of(c, 3);
  PartialShape out = data.has_rank() ? PartialShape::of_rank(data.dimensions().size()) : PartialShape();
  if (data.has_rank() && block && begin && end) {
    const size_t rank = data.dimensions().size();
    if (block->size() != rank || begin->size() != rank || end->size() != rank || rank == 0)
      c.fail(Code::ShapeMismatch, msg("block and pads of another length than [", to_string(data), "]"));
    Interval volume = 1;
    for (size_t i = 1; i < rank; ++i) {
      if ((*block)[i] < 1) c.fail(Code::BadValue, msg("a block of ", (*block)[i]));
      volume = volume * (*block)[i];
      if (c.node().op() == "SpaceToBatch")
        out[i] = divide_evenly(c, to_dimension(data[i] + (*begin)[i] + (*end)[i]), (*block)[i]);
      else
        out[i] = to_dimension(data[i] * (*block)[i] - (*begin)[i] - (*end)[i]);
    }
    out[0] = c.node().op() == "SpaceToBatch" ? data[0] * volume : divide_evenly(c, data[0], volume.min);
  }
  c.set(0, out, c.type(0));
}

using SpaceRule = LayoutRule::Kind;
constexpr Layout kBatchSpaceLayout = {LayoutClass::Follows,
                                      {{.kind = SpaceRule::Shape, .input = 1},
                                       {.kind = SpaceRule::Shape, .input = 2},
                                       {.kind = SpaceRule::Shape, .input = 3}}};
constexpr OpDef kSpaceDepthDefs[] = {
    {.op = "SpaceToDepth",
     .type = "SpaceToDepth",
     .version = "opset1",
     .infer = infer_depth_space,
     .ir_attributes = attributes_depth_space,
     .layout = spatial_layout()},
    {.op = "DepthToSpace",
     .type = "DepthToSpace",
     .version = "opset1",
     .infer = infer_depth_space,
     .ir_attributes = attributes_depth_space,
     .layout = spatial_layout()},
    {.op = "SpaceToBatch",
     .type = "SpaceToBatch",
     .version = "opset2",
     .infer = infer_batch_space,
     .layout = kBatchSpaceLayout},
    {.op = "BatchToSpace",
     .type = "BatchToSpace",
     .version = "opset2",
     .infer = infer_batch_space,
     .layout = kBatchSpaceLayout},
};

}  // namespace

OpFamily ops_SpaceDepth() { return kSpaceDepthDefs; }

}  // namespace mo

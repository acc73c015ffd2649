// Proposal (opset4): scores [N, 2 * A, H, W] and deltas [N, 4 * A, H, W] of A anchors, and the image's size [3 or 4].
// Results: boxes [N * post_nms_topn, 5] with their image, and their scores. GenerateProposals (opset9): the sizes of
// images [N, 3 or 4], anchors [H, W, A, 4], deltas [N, 4 * A, H, W], scores [N, A, H, W]. Results: boxes [R, 4], their
// scores [R], and how many each image has [N].

#include "core/ops/detection.h"
#include "core/ops/known.h"
#include "core/ops/spatial.h"

namespace mo {
namespace {

void infer_proposal(InferContext& c) {
  require_inputs(c, 3);
  c.require_rank(0, 4, 4);
  c.require_rank(1, 4, 4);
  c.require_rank(2, 1, 1);
  const SpatialDims dims = spatial_dims(c.node(), 4);
  const int64_t kept = count_of(c, "post_nms_topn", 1);
  const auto both = [&](size_t axis, const Detail& what) {
    return agree(c, dimension_of(c, 0, axis), dimension_of(c, 1, axis), what);
  };
  const Dimension images = both(dims.batch, "images of scores and deltas");
  both(dims.spatial[0], "heights of scores and deltas");
  both(dims.spatial[1], "widths of scores and deltas");
  agree(c, to_dimension(dimension_of(c, 0, dims.channel) * Interval(2)), dimension_of(c, 1, dims.channel),
        "anchors of scores and deltas");
  agree(c, dimension_of(c, 2, 0), {3, 4}, "numbers of the image's size");
  const Dimension boxes = to_dimension(images * Interval(kept));
  c.set(0, {boxes, 5}, c.type(0));
  if (c.node().out_count() > 1) c.set(1, {boxes}, c.type(0));
}

void attributes_proposal(const Node& n, IrAttributes& a) {
  for (const char* name : {"base_size", "pre_nms_topn", "post_nms_topn"}) a.add(name, n.get_int(name));
  a.add("nms_thresh", n.get_float("nms_thresh"));
  for (const char* name : {"feat_stride", "min_size"}) a.add(name, n.get_int(name));
  for (const char* name : {"ratio", "scale"}) a.add(name, n.get_floats(name));
  a.add("clip_before_nms", n.get_bool("clip_before_nms", true));
  a.add("clip_after_nms", n.get_bool("clip_after_nms"));
  a.add("normalize", n.get_bool("normalize"));
  a.add("box_size_scale", n.get_float("box_size_scale", 1));
  a.add("box_coordinate_scale", n.get_float("box_coordinate_scale", 1));
  a.add("framework", n.get_string("framework"));
}

void infer_generate_proposals(InferContext& c) {
  require_inputs(c, 4);
  c.require_rank(0, 2, 2);
  for (const int i : {1, 2, 3}) c.require_rank(i, 4, 4);
  const int64_t kept = count_of(c, "post_nms_count", 1);
  agree(c, dimension_of(c, 0, 1), {3, 4}, "numbers of an image's size");
  agree(c, dimension_of(c, 1, 3), 4, "numbers of an anchor");
  const Dimension anchors = agree(c, dimension_of(c, 1, 2), dimension_of(c, 3, 1), "anchors and scores");
  agree(c, to_dimension(anchors * Interval(4)), dimension_of(c, 2, 1), "anchors and deltas");
  for (size_t i = 0; i < 2; ++i) {
    const Dimension size = agree(c, dimension_of(c, 2, i + 2), dimension_of(c, 3, i + 2), "sizes of deltas and scores");
    agree(c, size, dimension_of(c, 1, i), "sizes of anchors and scores");
  }
  Dimension images = agree(c, dimension_of(c, 0, 0), dimension_of(c, 2, 0), "images of sizes and deltas");
  images = agree(c, images, dimension_of(c, 3, 0), "images of deltas and scores");
  const Dimension boxes{0, to_dimension(images * Interval(kept)).max};
  c.set(0, {boxes, 4}, c.type(1));
  if (c.node().out_count() > 1) c.set(1, {boxes}, c.type(3));
  if (c.node().out_count() > 2) c.set(2, {images}, c.node().get_type("roi_num_type", ElementType::I64));
}

void attributes_generate_proposals(const Node& n, IrAttributes& a) {
  a.add("min_size", n.get_float("min_size"));
  a.add("nms_threshold", n.get_float("nms_threshold"));
  a.add("post_nms_count", n.get_int("post_nms_count"));
  a.add("pre_nms_count", n.get_int("pre_nms_count"));
  a.add("normalized", n.get_bool("normalized", true));
  a.add("nms_eta", n.get_float("nms_eta", 1));
  a.add("roi_num_type", n.get_type("roi_num_type", ElementType::I64));
}

constexpr OpDef kProposalDefs[] = {
    {.op = "Proposal",
     .type = "Proposal",
     .version = "opset4",
     .infer = infer_proposal,
     .ir_attributes = attributes_proposal,
     .layout = spatial_layout()},
    {.op = "GenerateProposals",
     .type = "GenerateProposals",
     .version = "opset9",
     .infer = infer_generate_proposals,
     .ir_attributes = attributes_generate_proposals,
     .layout = {LayoutClass::Reshapes}},
};

}  // namespace

OpFamily ops_Proposal() { return kProposalDefs; }

}  // namespace mo

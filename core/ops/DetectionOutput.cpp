// DetectionOutput (opset8): encoded boxes [N, P * 4], scores [N, P * classes], P prior boxes [1 or N, 1 or 2, P * 4 or
// 5]; with two more inputs the scores and boxes of a first stage: [N, P * 2], [N, P * 4]. Without share_location each
// class has boxes of its own. The result [1, 1, N * kept, 7] has image, class, score and corners of each box.

#include "core/ops/detection.h"
#include "core/ops/known.h"

namespace mo {
namespace {

/// The dimension divided by `divisor`; unknown unless the dimension is exact.
Dimension part_of(const InferContext& c, Dimension whole, int64_t divisor, const Detail& what) {
  if (!whole.is_exact()) return kAnyDimension;
  if (divisor <= 0 || whole.min % divisor != 0)
    c.fail(Code::ShapeMismatch, msg(what, ": ", to_string(whole), " is no multiple of ", divisor));
  return whole.min / divisor;
}

void infer_detection_output(InferContext& c) {
  require_inputs(c, 3);
  if (c.has_in(3) != c.has_in(4)) c.fail(Code::MissingInput, "inputs 3 and 4 go together");
  for (const int i : {0, 1, 3, 4}) c.require_rank(i, 2, 2);
  c.require_rank(2, 3, 3);
  const Node& node = c.node();
  const bool shared = node.get_bool("share_location", true), first_stage = c.has_in(3);

  Dimension images = agree(c, dimension_of(c, 0, 0), dimension_of(c, 1, 0), "images of boxes and scores");
  for (int i = 3; first_stage && i < 5; ++i) images = agree(c, images, dimension_of(c, i, 0), "images of both stages");
  if (!intersect(dimension_of(c, 2, 0), 1)) agree(c, dimension_of(c, 2, 0), images, "images of prior boxes");
  agree(c, dimension_of(c, 2, 1), node.get_bool("variance_encoded_in_target") ? 1 : 2, "rows of prior boxes");

  Dimension priors =
      part_of(c, dimension_of(c, 2, 2), node.get_bool("normalized", true) ? 4 : 5, "numbers of prior boxes");
  if (shared) priors = agree(c, priors, part_of(c, dimension_of(c, 0, 1), 4, "numbers of boxes"), "boxes and priors");
  if (first_stage) {
    priors = agree(c, priors, part_of(c, dimension_of(c, 3, 1), 2, "first scores"), "first scores and priors");
    agree(c, dimension_of(c, 4, 1), dimension_of(c, 0, 1), "boxes of both stages");
  }
  Dimension classes = kAnyDimension;
  if (priors.is_exact()) {
    classes = part_of(c, dimension_of(c, 1, 1), priors.min, "scores of all classes");
    if (!shared)
      classes = agree(
          c, classes,
          part_of(c, dimension_of(c, 0, 1), to_dimension(priors * Interval(4)).min, "numbers of boxes of all classes"),
          "classes of boxes and scores");
  }

  const int64_t kept = node.get_int("keep_top_k", -1), best = node.get_int("top_k", -1);
  if (kept < -1 || kept > INT32_MAX || best < -1 || best > INT32_MAX)
    c.fail(Code::BadAttribute, msg("keep_top_k is ", kept, ", top_k is ", best));
  const Dimension of_image = kept > 0   ? Dimension(kept)
                             : best > 0 ? Dimension(to_dimension(classes * Interval(best)))
                                        : dimension_of(c, 1, 1);
  c.set(0, {1, 1, to_dimension(images * of_image), 7}, c.type(0));
}

void attributes_detection_output(const Node& n, IrAttributes& a) {
  a.add("background_label_id", n.get_int("background_label_id"));
  a.add("top_k", n.get_int("top_k", -1));
  a.add("variance_encoded_in_target", n.get_bool("variance_encoded_in_target"));
  a.add("keep_top_k", n.get_int("keep_top_k", -1));
  a.add("code_type", n.get_string("code_type", "caffe.PriorBoxParameter.CORNER"));
  a.add("share_location", n.get_bool("share_location", true));
  a.add("nms_threshold", n.get_float("nms_threshold"));
  a.add("confidence_threshold", n.get_float("confidence_threshold"));
  a.add("clip_after_nms", n.get_bool("clip_after_nms"));
  a.add("clip_before_nms", n.get_bool("clip_before_nms"));
  a.add("decrease_label_id", n.get_bool("decrease_label_id"));
  a.add("normalized", n.get_bool("normalized", true));
  a.add("input_height", n.get_int("input_height", 1));
  a.add("input_width", n.get_int("input_width", 1));
  a.add("objectness_score", n.get_float("objectness_score"));
}

constexpr OpDef kDetectionOutputDefs[] = {
    {.op = "DetectionOutput",
     .type = "DetectionOutput",
     .version = "opset8",
     .infer = infer_detection_output,
     .ir_attributes = attributes_detection_output,
     .layout = {LayoutClass::Reshapes}},
};

}  // namespace

OpFamily ops_DetectionOutput() { return kDetectionOutputDefs; }

}  // namespace mo

// Suppression of boxes and what else a detector does behind its network.

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/front/paddle/extract/extractor.h"

namespace mo::paddle {
namespace {

/// The op as a node with these outputs, for give(): a program may lack some of the slots.
Node& made(Node& node, const char* op, const std::vector<OutPort>& inputs, Attributes attributes, int outputs) {
  return Builder(node).node(op, inputs, std::move(attributes), outputs);
}

OutPort offset(Builder& b, bool pixels) { return b.f32_scalar(pixels ? 1.0F : 0.0F); }

/// Without it all regions are of one image.
OutPort counts(Node& node, std::string_view slot) {
  const OutPort port = input(node, slot);
  return port ? Builder(node).convert(port, ElementType::I64) : OutPort();
}

/// The image of each region.
OutPort images_of(Node& node, OutPort rois) {
  Builder b(node);
  if (const OutPort given = counts(node, "RoisNum")) return b.op("ImageOfRow", {given, rois});
  if (input(node, "RoisLod")) throw Error(Code::UnsupportedForm, "regions of images that RoisLod numbers");
  return b.op("FirstImage", {rois});
}

/// IR keeps a score and drops an overlap that is equal to the threshold, PaddlePaddle does the opposite.
double next_larger(double threshold) {
  return std::nextafter(static_cast<float>(threshold), std::numeric_limits<float>::max());
}

Attributes suppression(const Node& node) {
  return {
      {"background_class", node.get_int("background_label")}, {"score_threshold", node.get_float("score_threshold")},
      {"nms_top_k", node.get_int("nms_top_k", -1)},           {"keep_top_k", node.get_int("keep_top_k", -1)},
      {"normalized", node.get_bool("normalized", true)},      {"output_type", ElementType::I32}};
}

void extract_multiclass_nms(Node& node, bool marks_none) {
  Attributes all = suppression(node);
  all.set("score_threshold", next_larger(node.get_float("score_threshold")));
  all.set("iou_threshold", next_larger(node.get_float("nms_threshold", 0.3)));
  all.set("nms_eta", node.get_float("nms_eta", 1));
  const OutPort boxes = required(node, "BBoxes"), scores = required(node, "Scores");
  Node& nms = made(node, "MulticlassNmsOfImages", {boxes, scores, input(node, "RoisNum")}, std::move(all), 3);
  const OutPort rows = marks_none ? Builder(node).op("OneRowAtLeast", {nms.out(0)}) : nms.out(0);
  give(node, {{"Out", rows}, {"Index", nms.out(1)}, {"NmsRoisNum", nms.out(2)}});
}

}  // namespace

/// Without detections there is a row of -1. (In PaddlePaddle it is shorter, one number.)
void extract_multiclass_nms1(Node& node) { extract_multiclass_nms(node, true); }
void extract_multiclass_nms3(Node& node) { extract_multiclass_nms(node, false); }

void extract_matrix_nms(Node& node) {
  Attributes all = suppression(node);
  all.set("sort_result_type", "score");
  all.set("decay_function", node.get_bool("use_gaussian") ? "gaussian" : "linear");
  all.set("gaussian_sigma", node.get_float("gaussian_sigma", 2));
  all.set("post_threshold", node.get_float("post_threshold"));
  const OutPort boxes = required(node, "BBoxes"), scores = required(node, "Scores");
  Node& nms = made(node, "MatrixNms", {boxes, scores}, std::move(all), 3);
  give(node, {{"Out", nms.out(0)}, {"Index", nms.out(1)}, {"RoisNum", nms.out(2)}});
}

/// The boxes are in the order of their scores.
void extract_nms(Node& node) {
  become(node, "SuppressedInOrder", {required(node, "Boxes")}, {{"overlap", node.get_float("iou_threshold", 1)}},
         {"KeepBoxesIdxs"});
}

namespace {

void extract_proposals(Node& node, const char* size_slot, bool pixels, bool scaled) {
  if (node.get_float("eta", 1) < 1 && node.get_float("nms_thresh", 0.5) > 0.5)
    throw Error(Code::UnsupportedForm, msg("a suppression whose threshold changes: eta is ", node.get_float("eta")));
  const OutPort size = required(node, size_slot), anchors = required(node, "Anchors");
  const OutPort deltas = required(node, "BboxDeltas"), scores = required(node, "Scores");
  Builder b(node);
  OutPort varied = deltas;
  if (const OutPort variances = input(node, "Variances")) varied = b.op("VariedDeltas", {deltas, variances});
  const double least = std::max(node.get_float("min_size", 0.1), 1.0);
  const OutPort image =
      b.op(scaled ? "ScaledImageSize" : "ImageSize", {size}, {{"min_size", least}, {"less", least - 1}});
  const OutPort grid = b.op("AnchorsOfGrid", {anchors, scores});
  Node& found = made(node, "GenerateProposals", {image, grid, varied, scores},
                     {{"min_size", least},
                      {"nms_threshold", node.get_float("nms_thresh", 0.5)},
                      {"pre_nms_count", node.get_int("pre_nms_topN", 6000)},
                      {"post_nms_count", node.get_int("post_nms_topN", 1000)},
                      {"normalized", !pixels},
                      {"roi_num_type", ElementType::I32}},
                     3);
  const OutPort scores_of = b.unsqueeze(found.out(1), {1});
  give(node, {{"RpnRois", found.out(0)}, {"RpnRoiProbs", scores_of}, {"RpnRoisNum", found.out(2)}});
}

}  // namespace

void extract_generate_proposals(Node& node) { extract_proposals(node, "ImInfo", true, true); }
void extract_generate_proposals_v2(Node& node) {
  extract_proposals(node, "ImShape", node.get_bool("pixel_offset", true), false);
}

/// The regions of each level, how many each image has there, and where the regions are among those of all levels.
void extract_distribute_fpn_proposals(Node& node) {
  const int64_t least = node.get_int("min_level", 2), most = node.get_int("max_level", 5);
  if (most < least || most - least > 64) throw Error(Code::BadAttribute, msg("levels ", least, " to ", most));
  const OutPort rois = required(node, "FpnRois");
  Builder b(node);
  const OutPort level = b.op("LevelOfRegion", {rois, offset(b, node.get_bool("pixel_offset", true))},
                             {{"least", least},
                              {"most", most},
                              {"refer_level", node.get_int("refer_level", 4)},
                              {"refer_scale", static_cast<double>(node.get_int("refer_scale", 224))}});
  const OutPort images = counts(node, "RoisNum") ? images_of(node, rois) : OutPort();
  std::vector<OutPort> places, regions, numbers;
  for (int64_t i = least; i <= most; ++i) {
    places.push_back(b.op("PlacesOf", {level, b.i64_scalar(i)}));
    regions.push_back(b.gather(rois, places.back(), 0));
    if (images) numbers.push_back(b.op("CountsOf", {b.gather(images, places.back(), 0), input(node, "RoisNum")}));
  }
  const OutPort restored = b.op("PlacesRestored", {b.concat(places, 0)});
  give_lists(node, {{"MultiFpnRois", regions}, {"MultiLevelRoIsNum", numbers}, {"RestoreIndex", {restored}}});
}

/// The best regions of all levels, image by image.
void extract_collect_fpn_proposals(Node& node) {
  const std::vector<OutPort> rois = inputs(node, "MultiLevelRois"), scores = inputs(node, "MultiLevelScores");
  const std::vector<OutPort> numbers = inputs(node, "MultiLevelRoIsNum");
  if (rois.empty() || rois.size() != scores.size() || (!numbers.empty() && numbers.size() != rois.size()))
    throw Error(Code::MissingInput, "MultiLevelRois, MultiLevelScores, MultiLevelRoIsNum: as many of each");
  Builder b(node);
  std::vector<OutPort> images;
  for (size_t i = 0; i < rois.size(); ++i)
    images.push_back(numbers.empty() ? b.op("FirstImage", {rois[i]})
                                     : b.op("ImageOfRow", {b.convert(numbers[i], ElementType::I64), rois[i]}));
  const OutPort like = numbers.empty() ? b.i64({0}) : numbers[0];
  Node& best = made(node, "BestRegions", {b.concat(rois, 0), b.concat(scores, 0), b.concat(images, 0), like},
                    {{"most", node.get_int("post_nms_topN")}}, 2);
  give(node, {{"FpnRois", best.out(0)}, {"RoisNum", best.out(1)}});
}

void extract_roi_align(Node& node) {
  const OutPort x = required(node, "X"), rois = required(node, "ROIs"), images = images_of(node, rois);
  const int64_t ratio = node.get_int("sampling_ratio", -1);
  become(node, "ROIAlign", {x, rois, images},
         {{"pooled_h", node.get_int("pooled_height", 1)},
          {"pooled_w", node.get_int("pooled_width", 1)},
          {"spatial_scale", node.get_float("spatial_scale", 1)},
          {"sampling_ratio", ratio < 0 ? 0 : ratio},
          {"aligned_mode", node.get_bool("aligned") ? "half_pixel_for_nn" : "asymmetric"},
          {"batch_dims", Ints{0}},
          {"channel_dims", Ints{1}},
          {"spatial_dims", Ints{2, 3}}});
}

namespace {

OutPort with_image(Node& node, OutPort rois) {
  return Builder(node).op("RegionsWithImage", {rois, images_of(node, rois)});
}

}  // namespace

void extract_roi_pool(Node& node) {
  const OutPort x = required(node, "X"), rois = with_image(node, required(node, "ROIs"));
  become(node, "ROIPooling", {x, rois},
         {{"pooled_h", node.get_int("pooled_height", 1)},
          {"pooled_w", node.get_int("pooled_width", 1)},
          {"spatial_scale", node.get_float("spatial_scale", 1)},
          {"batch_dims", Ints{0}},
          {"channel_dims", Ints{1}},
          {"spatial_dims", Ints{2, 3}}});
}

void extract_psroi_pool(Node& node) {
  const int64_t height = node.get_int("pooled_height", 1), width = node.get_int("pooled_width", 1);
  if (height != width) throw Error(Code::UnsupportedForm, msg("pooled_height is ", height, ", pooled_width ", width));
  const OutPort x = required(node, "X"), rois = with_image(node, required(node, "ROIs"));
  become(node, "PSROIPooling", {x, rois},
         {{"output_dim", node.get_int("output_channels", 1)},
          {"group_size", height},
          {"spatial_scale", node.get_float("spatial_scale", 1)},
          {"batch_dims", Ints{0}},
          {"channel_dims", Ints{1}},
          {"spatial_dims", Ints{2, 3}}});
}

/// Averages of exact integrals of the interpolated map.
void extract_prroi_pool(Node& node) {
  const OutPort x = required(node, "X"), rois = required(node, "ROIs");
  Builder b(node);
  const OutPort numbers = counts(node, "BatchRoINums");
  const OutPort images = numbers ? b.op("ImageOfRow", {numbers, rois}) : b.op("FirstImage", {rois});
  become(node, "PreciseRegions", {x, rois, images},
         {{"pooled_h", node.get_int("pooled_height", 1)},
          {"pooled_w", node.get_int("pooled_width", 1)},
          {"spatial_scale", node.get_float("spatial_scale", 1)}});
}

}  // namespace mo::paddle

// Boxes of detectors: priors, decoding, suppression.

#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "core/front/mxnet/extract/extractor.h"
#include "core/graph/framework_node.h"

namespace mo::mxnet {
namespace {

bool centred(const Node& node, std::string_view key, std::string_view otherwise) {
  return choice_of(node, key, otherwise, {"corner", "center"}) == "center";
}

OutPort numbers(Builder& b, const Doubles& values) {
  std::vector<float> floats(values.begin(), values.end());
  return b.constant(make_f32(Shape{static_cast<int64_t>(floats.size())}, floats));
}

/// Corners, the class, the score: where they are in a row.
struct Columns {
  int64_t corners, score, id;
};

}  // namespace

/// Rows of boxes, the best first, without those that overlap better ones, filled up with -1.
void extract_box_nms(Node& node) {
  const OutPort x = required(node, 0);
  const int64_t background = int_of(node, "background_id", -1);
  const Columns at{limited_int(node, "coord_start", 2, 0), limited_int(node, "score_index", 1, 0),
                   limited_int(node, "id_index", -1, -1)};
  become(node, "SuppressedRows", {x},
         {{"overlap", float_of(node, "overlap_thresh", 0.5)},
          {"least", float_of(node, "valid_thresh")},
          {"most", int_of(node, "topk", -1)},
          {"corners", at.corners},
          {"score", at.score},
          {"id", at.id},
          {"background", background},
          {"force", at.id < 0 || bool_of(node, "force_suppress")},
          {"centred", centred(node, "in_format", "corner")},
          {"to_centred", centred(node, "out_format", "corner")}});
}

void extract_box_decode(Node& node) {
  const OutPort x = required(node, 0), anchors = required(node, 1);
  Builder b(node);
  const OutPort factors = numbers(
      b, {float_of(node, "std0", 1), float_of(node, "std1", 1), float_of(node, "std2", 1), float_of(node, "std3", 1)});
  const double clip = float_of(node, "clip", -1);
  const OutPort from = centred(node, "format", "center") ? anchors : b.op("BoxCentres", {anchors});
  become(node, "DecodedFrom", {x, from, factors}, {{"clip", clip > 0 ? clip : 1e30}});
}

/// Codes of the boxes that match anchors, where these are samples, and where they are.
void extract_box_encode(Node& node) {
  std::vector<OutPort> sources;
  for (int i = 0; i < 6; ++i) sources.push_back(required(node, i));
  become(node, "EncodedBoxes", sources, {}, 2);
}

/// The best pairs of rows and columns, one after the other.
void extract_bipartite_matching(Node& node) {
  const OutPort x = required(node, 0);
  if (!is_given(node, "threshold")) throw Error(Code::MissingAttribute, "threshold");
  become(node, "MatchedPairs", {x},
         {{"threshold", float_of(node, "threshold")},
          {"least_first", bool_of(node, "is_ascend")},
          {"most", int_of(node, "topk", -1)}},
         2);
}

void extract_box_iou(Node& node) {
  OutPort x = required(node, 0), y = required(node, 1);
  Builder b(node);
  if (centred(node, "format", "corner")) {
    x = b.op("BoxCorners", {x});
    y = b.op("BoxCorners", {y});
  }
  become(node, "OverlapsOfAll", {x, y});
}

/// Boxes of several sizes and shapes around the centre of each cell, as parts of the picture.
void extract_multibox_prior(Node& node) {
  const OutPort x = required(node, 0);
  const Doubles sizes = floats_of(node, "sizes", {1}), ratios = floats_of(node, "ratios", {1}),
                steps = floats_of(node, "steps", {-1, -1}), offsets = floats_of(node, "offsets", {0.5, 0.5});
  if (sizes.empty() || ratios.empty() || steps.size() != 2 || offsets.size() != 2)
    throw Error(Code::BadAttribute, "sizes, ratios, steps or offsets");
  Doubles halves;  // of the width, in heights of the picture, and of the height
  const auto add = [&](double size, double ratio) {
    halves.push_back(size * std::sqrt(ratio) / 2);
    halves.push_back(size / std::sqrt(ratio) / 2);
  };
  // The first ratio goes with all sizes, the first size with all ratios.
  for (const double ratio : ratios)
    if (!(ratio > 0)) throw Error(Code::BadAttribute, msg("a ratio is ", ratio));
  for (const double size : sizes) add(size, ratios[0]);
  for (size_t i = 1; i < ratios.size(); ++i) add(sizes[0], ratios[i]);
  Builder b(node);
  const OutPort half = b.reshape(numbers(b, halves), {-1, 2}, false);
  const OutPort step = numbers(b, {steps[1], steps[0]}), offset = numbers(b, {offsets[1], offsets[0]});
  const bool clip = bool_of(node, "clip");
  become(node, "PriorsOfCells", {x, half, step, offset}, {{"low", clip ? 0.0 : -1e30}, {"high", clip ? 1.0 : 1e30}});
}

namespace {

/// Whether only results read it, as they do behind the operators that stop gradients, too.
bool is_result(OutPort port, int depth = 0) {
  const auto leads_to_results = [depth](const InPort& reader) {
    Node& node = reader.node();
    if (node.op() == "Result") return true;
    const bool passes = node.pb && is_one_of(node.pb->op, {"MakeLoss", "make_loss", "BlockGrad", "_copy"});
    return passes && depth < 8 && is_result(node.out(0), depth + 1);
  };
  const std::vector<InPort> readers = port.destinations();
  return std::all_of(readers.begin(), readers.end(), leads_to_results);
}

}  // namespace

/// Nodes that only results read are IR's DetectionOutput, [1, 1, N, 7].
void extract_multibox_detection(Node& node) {
  const OutPort scores = required(node, 0), places = required(node, 1), anchors = required(node, 2);
  const Doubles variances = floats_of(node, "variances", {0.1, 0.1, 0.2, 0.2});
  if (variances.size() != 4) throw Error(Code::BadAttribute, msg(variances.size(), " variances"));
  const int64_t most = int_of(node, "nms_topk", -1);
  const double overlap = float_of(node, "nms_threshold", 0.5);
  Builder b(node);
  const OutPort factors = numbers(b, variances);
  become(node, "DetectedBoxes", {scores, places, anchors, factors},
         {{"threshold", float_of(node, "threshold", 0.01)},
          {"overlap", overlap},
          {"suppress", overlap > 0 && overlap <= 1},
          {"force", bool_of(node, "force_suppress")},
          {"inside", bool_of(node, "clip", true)},
          {"most", most > 0 ? most : -1},
          {"rows_of_seven", is_result(node.out(0))}});
}

namespace {

/// The anchors of a cell at the origin, as corners; widths count both ends.
Doubles anchors_of(const Node& node, int64_t stride) {
  const Doubles scales = floats_of(node, "scales", {4, 8, 16, 32}), ratios = floats_of(node, "ratios", {0.5, 1, 2});
  if (scales.empty() || ratios.empty()) throw Error(Code::BadAttribute, "no scales or ratios");
  Doubles out;
  const double centre = 0.5 * static_cast<double>(stride - 1), area = static_cast<double>(stride * stride);
  for (const double ratio : ratios)
    for (const double scale : scales) {
      const double width = std::floor(std::sqrt(std::floor(area / ratio)) + 0.5);
      const double height = std::floor(width * ratio + 0.5);
      const double half_width = 0.5 * (width * scale - 1), half_height = 0.5 * (height * scale - 1);
      for (const double corner : {centre - half_width, centre - half_height, centre + half_width, centre + half_height})
        out.push_back(corner);
    }
  return out;
}

/// The best boxes of anchors: rows of the picture's number and corners; their scores.
void propose(Node& node, const char* stride_key) {
  const OutPort scores = required(node, 0), deltas = required(node, 1), picture = required(node, 2);
  const int64_t stride = limited_int(node, stride_key, 16, 1, 1 << 16);
  const Doubles corners = anchors_of(node, stride);
  const bool with_scores = bool_of(node, "output_score");
  const int64_t before = int_of(node, "rpn_pre_nms_top_n", 6000);
  const int64_t after = limited_int(node, "rpn_post_nms_top_n", 300, 1, 1 << 20);
  Builder b(node);
  const OutPort anchors = b.reshape(numbers(b, corners), {-1, 4}, false);
  become(node, "ProposedBoxes", {scores, deltas, picture, anchors},
         {{"stride", stride},
          {"before", before},
          {"after", after},
          {"overlap", float_of(node, "threshold", 0.7)},
          {"least", limited_int(node, "rpn_min_size", 16, 0, 1 << 16)},
          {"of_corners", bool_of(node, "iou_loss")}},
         with_scores ? 2 : 1);
}

}  // namespace

void extract_proposal(Node& node) { propose(node, "feature_stride"); }
/// The layer of the first detectors, in Python.
void extract_custom_proposal(Node& node) { propose(node, "feat_stride"); }

}  // namespace mo::mxnet

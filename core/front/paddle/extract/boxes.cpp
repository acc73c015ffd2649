// Boxes: priors and anchors of grids, codes of boxes by priors, overlaps.

#include <cmath>

#include "core/front/paddle/extract/extractor.h"

namespace mo::paddle {
namespace {

OutPort numbers(Builder& b, const std::vector<double>& values, Shape shape) {
  return b.constant(make_f32(std::move(shape), std::vector<float>(values.begin(), values.end())));
}

/// Corners around the centre of a cell, [boxes, 4].
struct Sizes {
  std::vector<double> corners;
  void add(double half_width, double half_height) {
    corners.insert(corners.end(), {-half_width, -half_height, half_width, half_height});
  }
  OutPort tensor(Builder& b) const { return numbers(b, corners, {static_cast<int64_t>(corners.size() / 4), 4}); }
};

/// In the order of the attribute, without what is there already.
std::vector<double> ratios_of(const Node& node, bool flip) {
  std::vector<double> out{1};
  const auto add = [&](double ratio) {
    for (const double one : out)
      if (std::fabs(one - ratio) < 1e-6) return false;
    out.push_back(ratio);
    return true;
  };
  for (const double ratio : node.get_floats("aspect_ratios"))
    if (add(ratio) && flip) out.push_back(1 / ratio);
  return out;
}

/// Steps and offset as inputs; a step of 0 is the size of the image over that of the grid.
std::vector<OutPort> grid_of(Node& node, OutPort sizes) {
  const OutPort x = required(node, "Input"), image = required(node, "Image");
  Builder b(node);
  double width = node.get_float("step_w"), height = node.get_float("step_h");
  if (width == 0 || height == 0) width = height = 0;
  const OutPort step = numbers(b, {width, height}, {2});
  return {x, sizes, step, image, numbers(b, node.get_floats("variances", {0.1, 0.1, 0.2, 0.2}), {4})};
}

constexpr double kNoBound = 3.4e38;

Attributes bounded(const Node& node) {
  const bool clips = node.get_bool("clip", true);
  return {
      {"offset", node.get_float("offset", 0.5)}, {"low", clips ? 0.0 : -kNoBound}, {"high", clips ? 1.0 : kNoBound}};
}

void give_boxes(Node& node, const char* op, const std::vector<OutPort>& inputs, const char* slot,
                Attributes attributes) {
  Node& made = Builder(node).node(op, inputs, std::move(attributes), 2);
  give(node, {{slot, made.out(0)}, {"Variances", made.out(1)}});
}

/// IR's PriorBox has one step for both axes, and takes the offset only with a step.
bool has_steps_of_ir(const Node& node) {
  const double width = node.get_float("step_w"), height = node.get_float("step_h");
  return width == 0 || height == 0 ? node.get_float("offset", 0.5) == 0.5 : width == height;
}

/// IR's PriorBox has the largest box of each size behind the first one.
void become_prior_box(Node& node, size_t ratios, bool largest_second) {
  const OutPort x = required(node, "Input"), image = required(node, "Image");
  const std::vector<double> least = node.get_floats("min_sizes"), most = node.get_floats("max_sizes");
  const auto of_size = static_cast<int64_t>(ratios + (most.empty() ? 0 : 1));
  const auto sizes = static_cast<int64_t>(least.size());
  const double width = node.get_float("step_w"), height = node.get_float("step_h");
  Builder b(node);
  const OutPort grid = b.dims_of(x, {2, 3}), whole = b.dims_of(image, {2, 3});
  const OutPort flat = b.op("PriorBox", {grid, whole},
                            {{"min_size", least},
                             {"max_size", most},
                             {"aspect_ratio", node.get_floats("aspect_ratios")},
                             {"flip", node.get_bool("flip", true)},
                             {"clip", node.get_bool("clip", true)},
                             {"step", height == 0 ? 0.0 : width},
                             {"offset", node.get_float("offset", 0.5)},
                             {"variance", node.get_floats("variances", {0.1, 0.1, 0.2, 0.2})}});
  const OutPort two = b.i64({2}), rest = b.i64({sizes * of_size, 4});
  OutPort both = b.op("Reshape", {flat, b.concat({two, grid, rest}, 0)}, {{"special_zero", false}});
  if (!largest_second && !most.empty() && ratios > 1) {
    std::vector<int64_t> order;
    for (int64_t size = 0; size < sizes; ++size) {
      const int64_t first = size * of_size;
      order.push_back(first);
      for (int64_t ratio = 2; ratio < of_size; ++ratio) order.push_back(first + ratio);
      order.push_back(first + 1);
    }
    both = b.gather(both, b.i64(order), 3);
  }
  const OutPort boxes = b.gather(both, b.i64_scalar(0), 0);
  give(node, {{"Boxes", boxes}, {"Variances", b.gather(both, b.i64_scalar(1), 0)}});
}

}  // namespace

void extract_prior_box(Node& node) {
  const std::vector<double> least = node.get_floats("min_sizes"), most = node.get_floats("max_sizes");
  if (least.empty() || (!most.empty() && most.size() != least.size()))
    throw Error(Code::BadAttribute, msg(least.size(), " min_sizes, ", most.size(), " max_sizes"));
  const std::vector<double> ratios = ratios_of(node, node.get_bool("flip", true));
  const bool largest_second = node.get_bool("min_max_aspect_ratios_order");
  if (has_steps_of_ir(node)) return become_prior_box(node, ratios.size(), largest_second);
  Sizes sizes;
  for (size_t i = 0; i < least.size(); ++i) {
    const auto add_largest = [&] {
      if (most.empty()) return;
      const double half = std::sqrt(least[i] * most[i]) / 2;
      sizes.add(half, half);
    };
    for (size_t k = 0; k < ratios.size(); ++k) {
      const double root = std::sqrt(ratios[k]);
      sizes.add(least[i] * root / 2, least[i] / root / 2);
      if (largest_second && k == 0) add_largest();
    }
    if (!largest_second) add_largest();
  }
  Builder b(node);
  give_boxes(node, "GridPriors", grid_of(node, sizes.tensor(b)), "Boxes", bounded(node));
}

/// Each size has a square of boxes, shifted by parts of a cell.
void extract_density_prior_box(Node& node) {
  const std::vector<double> fixed = node.get_floats("fixed_sizes"), ratios = node.get_floats("fixed_ratios");
  const Ints densities = node.get_ints("densities");
  if (fixed.size() != densities.size())
    throw Error(Code::BadAttribute, msg(fixed.size(), " fixed_sizes, ", densities.size(), " densities"));
  Sizes sizes;
  std::vector<double> parts, places;
  for (size_t i = 0; i < fixed.size(); ++i) {
    if (densities[i] < 1 || densities[i] > 256) throw Error(Code::BadAttribute, msg("a density of ", densities[i]));
    for (const double ratio : ratios) {
      const double root = std::sqrt(ratio), density = static_cast<double>(densities[i]);
      for (double row = 0; row < density; ++row) {
        for (double column = 0; column < density; ++column) {
          sizes.add(fixed[i] * root / 2, fixed[i] / root / 2);
          parts.insert(parts.end(), 4, density);
          places.insert(places.end(), {column + 0.5, row + 0.5, column + 0.5, row + 0.5});
        }
      }
    }
  }
  Builder b(node);
  std::vector<OutPort> inputs = grid_of(node, sizes.tensor(b));
  const Shape shape{static_cast<int64_t>(parts.size() / 4), 4};
  inputs.push_back(numbers(b, parts, shape));
  inputs.push_back(numbers(b, places, shape));
  Node& made = b.node("DensityPriors", inputs, bounded(node), 2);
  const bool flat = node.get_bool("flatten_to_2d");
  const auto shaped = [&](OutPort port) { return flat ? b.reshape(port, {-1, 4}, false) : port; };
  give(node, {{"Boxes", shaped(made.out(0))}, {"Variances", shaped(made.out(1))}});
}

void extract_anchor_generator(Node& node) {
  const std::vector<double> stride = node.get_floats("stride"), areas = node.get_floats("anchor_sizes");
  if (stride.size() != 2) throw Error(Code::BadAttribute, msg("stride has ", stride.size(), " numbers, want 2"));
  Sizes sizes;
  for (const double ratio : node.get_floats("aspect_ratios")) {
    const double width = std::round(std::sqrt(stride[0] * stride[1] / ratio)), height = std::round(width * ratio);
    for (const double size : areas) sizes.add((size / stride[0] * width - 1) / 2, (size / stride[1] * height - 1) / 2);
  }
  const double offset = node.get_float("offset", 0.5);
  const OutPort x = required(node, "Input");
  Builder b(node);
  const OutPort tensor = sizes.tensor(b), step = numbers(b, stride, {2});
  const OutPort origin = numbers(b, {offset * (stride[0] - 1), offset * (stride[1] - 1)}, {2});
  const OutPort variances = numbers(b, node.get_floats("variances", {0.1, 0.1, 0.2, 0.2}), {4});
  give_boxes(node, "GridAnchors", {x, tensor, step, origin, variances}, "Anchors", {});
}

void extract_box_coder(Node& node) {
  OutPort priors = required(node, "PriorBox"), variances = input(node, "PriorBoxVar");
  const OutPort boxes = required(node, "TargetBox");
  Builder b(node);
  const std::vector<double> given = node.get_floats("variance");
  if (!given.empty() && given.size() != 4)
    throw Error(Code::BadAttribute, msg("variance has ", given.size(), " numbers, want 4"));
  const std::string code = node.get_string("code_type", "encode_center_size");
  const bool decodes = code == "decode_center_size";
  if (!decodes && code != "encode_center_size") throw Error(Code::BadAttribute, msg("code_type is '", code, "'"));
  if (decodes && node.get_int("axis") == 1) {
    priors = b.unsqueeze(priors, {1});
    if (variances) variances = b.unsqueeze(variances, {1});
  }
  if (!variances) variances = numbers(b, given.empty() ? std::vector<double>{1, 1, 1, 1} : given, {4});
  become(node, decodes ? "BoxesDecoded" : "BoxesEncoded", {priors, variances, boxes},
         {{"offset", node.get_bool("box_normalized", true) ? 0.0 : 1.0}}, {"OutputBox"});
}

void extract_box_decoder_and_assign(Node& node) {
  const OutPort priors = required(node, "PriorBox"), boxes = required(node, "TargetBox");
  const OutPort scores = required(node, "BoxScore");
  Builder b(node);
  OutPort variances = input(node, "PriorBoxVar");
  if (!variances) variances = numbers(b, {1, 1, 1, 1}, {4});
  Node& made = b.node("BoxesOfBestClass", {priors, variances, boxes, scores},
                      {{"clip", node.get_float("box_clip", 4.135)}, {"offset", 1.0}}, 2);
  give(node, {{"DecodeBox", made.out(0)}, {"OutputAssignBox", made.out(1)}});
}

void extract_box_clip(Node& node) {
  become(node, "BoxesInImage", {required(node, "Input"), required(node, "ImInfo")}, {}, {"Output"});
}

void extract_iou_similarity(Node& node) {
  become(node, "Overlaps", {required(node, "X"), required(node, "Y")},
         {{"offset", node.get_bool("box_normalized", true) ? 0.0 : 1.0}});
}

void extract_polygon_box_transform(Node& node) {
  become(node, "PolygonBoxes", {required(node, "Input")}, {}, {"Output"});
}

void extract_yolo_box(Node& node) {
  const Ints anchors = node.get_ints("anchors");
  const int64_t classes = node.get_int("class_num"), count = static_cast<int64_t>(anchors.size() / 2);
  if (anchors.empty() || anchors.size() % 2 || classes < 1 || classes > INT32_MAX)
    throw Error(Code::BadAttribute, msg(anchors.size(), " anchors, ", classes, " classes"));
  const OutPort x = required(node, "X"), size = required(node, "ImgSize");
  Builder b(node);
  const OutPort sizes = numbers(b, std::vector<double>(anchors.begin(), anchors.end()), {count, 1, 2});
  const double scale = node.get_float("scale_x_y", 1), factor = node.get_float("iou_aware_factor", 0.5);
  const bool clips = node.get_bool("clip_bbox", true);
  const bool aware = node.get_bool("iou_aware");
  Node& made = b.node(aware ? "YoloBoxesByOverlap" : "YoloBoxes",
                      {x, size, sizes, b.i64({count, classes + 5, -1}), b.i64({count})},
                      {{"threshold", node.get_float("conf_thresh")},
                       {"scale", scale},
                       {"shift", -0.5 * (scale - 1)},
                       {"downsample", static_cast<double>(node.get_int("downsample_ratio"))},
                       {"factor", factor},
                       {"rest", 1 - factor},
                       {"low", clips ? 0.0 : -kNoBound},
                       {"more", clips ? -1.0 : kNoBound}},
                      2);
  give(node, {{"Boxes", made.out(0)}, {"Scores", made.out(1)}});
}

}  // namespace mo::paddle

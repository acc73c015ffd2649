// MediaPipe's custom operators on points (landmarks) and on images that matrices move.

#include "core/base/text.h"
#include "core/front/tflite/extract/extractor.h"
#include "core/graph/framework_node.h"

namespace mo::tflite {
namespace {

/// Versions 1 and 2 of an operator have different options.
bool is_first_version(const Node& node) {
  if (node.pb->since != 1 && node.pb->since != 2) throw Error(Code::UnsupportedForm, msg("version ", node.pb->since));
  return node.pb->since == 1;
}

int64_t positive(const Node& node, const char* option) {
  if (!node.has(option)) throw Error(Code::MissingAttribute, msg(option));
  const int64_t value = node.get_int(option);
  if (value < 1 || value > INT32_MAX) throw Error(Code::BadAttribute, msg(option, " is ", value));
  return value;
}

/// Two sizes: height, width.
Ints sizes(const Node& node, const char* option) {
  const Ints two = node.get_ints(option);
  if (two.size() != 2 || two[0] < 1 || two[1] < 1 || two[0] > INT32_MAX || two[1] > INT32_MAX)
    throw Error(Code::BadAttribute, msg(option, " is no height and width"));
  return two;
}

/// Replaces all options by these.
void become(Node& node, const char* op, Attributes attributes) {
  node.attributes = std::move(attributes);
  node.set_op(op);
}

}  // namespace

/// (points, matrix): x and y go through the matrix. Version 1 has all points in one dimension, and their space is
/// `scale` times that of the matrix.
void extract_transform_landmarks(Node& node) {
  for (const int i : {0, 1}) require_input(node, i);
  Attributes attributes{{"scale", 1.0}};
  if (is_first_version(node)) {
    const int64_t dimensions = positive(node, "dimensions");
    if (dimensions != 2 && dimensions != 3) throw Error(Code::BadAttribute, msg("dimensions is ", dimensions));
    attributes.set("dimensions", dimensions);
    attributes.set("scale", node.get_float("scale", 1));
  }
  become(node, "LiteTransformLandmarks", std::move(attributes));
}

/// (image, matrix)
void extract_transform_tensor_bilinear(Node& node) {
  for (const int i : {0, 1}) require_input(node, i);
  const bool first = node.pb->op == "TransformTensor" || is_first_version(node);
  if (first && node.get_string("mode", "bilinear") != "bilinear")
    throw Error(Code::UnsupportedForm, msg("mode ", printable(node.get_string("mode"))));
  const Ints size =
      first ? sizes(node, "output_size") : Ints{positive(node, "output_height"), positive(node, "output_width")};
  become(node, "LiteTransformTensor", {{"size", size}, {"centers", !first}});
}

/// (points)
void extract_landmarks_to_transform_matrix(Node& node) {
  require_input(node, 0);
  const bool first = node.pb->op == "Landmarks2TransformMatrix" && is_first_version(node);
  Attributes attributes;
  for (const char* key : {"left_rotation_idx", "right_rotation_idx"}) {
    if (!node.has(key)) throw Error(Code::MissingAttribute, msg(key));
    attributes.set(key, node.get_int(key));
    if (node.get_int(key) < 0) throw Error(Code::BadAttribute, msg(key, " is ", node.get_int(key)));
  }
  const char* points = first ? "subset" : "subset_idxs";
  const Ints subset = node.get_ints(points);
  if (subset.empty()) throw Error(Code::MissingAttribute, msg(points));
  attributes.set("subset", subset);
  for (const int64_t point : subset)
    if (point < 0) throw Error(Code::BadAttribute, msg("a point ", point));
  if (!first) {
    attributes.set("output", Ints{positive(node, "output_height"), positive(node, "output_width")});
    attributes.set("scales", Doubles{node.get_float("scale_x"), node.get_float("scale_y")});
    attributes.set("rotation", node.get_float("target_rotation_radians"));
    return become(node, "LiteLandmarksToMatrix", std::move(attributes));
  }
  if (positive(node, "dimensions") != 3)
    throw Error(Code::BadAttribute, msg("dimensions is ", node.get_int("dimensions")));
  attributes.set("input", sizes(node, "input_hw"));
  attributes.set("output", sizes(node, "output_hw"));
  attributes.set("range", static_cast<double>(positive(node, "landmarks_range")));
  attributes.set("multiplier", node.get_float("bbox_size_multiplier", 1));
  become(node, "LiteLandmarksToRelativeMatrix", std::move(attributes));
}

/// (image, places [batch, height, width, 2] in it)
void extract_resampler(Node& node) {
  for (const int i : {0, 1}) require_input(node, i);
  become(node, "LiteResampler", {});
}

}  // namespace mo::tflite

// Layers of detectors: SSD's, Faster R-CNN's, R-FCN's, YOLO's.

#include <algorithm>
#include <limits>

#include "core/base/text.h"
#include "core/front/caffe/extract/extractor.h"
#include "core/front/caffe/extract/param_str.h"

namespace mo::caffe {
namespace {

void keep(Node& node, const Attributes& from, std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (const Attribute* value = from.find(name)) node.set(name, *value);
}

/// Empty lists are left out.
void keep_list(Node& node, const Attributes& from, const char* name) {
  if (const Doubles* value = from.get_if<Doubles>(name); value && !value->empty()) node.set(name, *value);
}

/// Rows of what may have more dimensions.
OutPort rows(Builder& b, OutPort x) {
  return b.op("ReshapedAxes", {x}, {{"shape", Ints{-1}}, {"begin", 1}, {"end", -1}});
}

/// Boxes in parts of the sizes of their priors, which IR lacks, as boxes in parts of the picture.
OutPort as_corners(Builder& b, OutPort boxes, OutPort priors, int64_t classes) {
  const OutPort corners = b.reshape(b.gather(priors, b.i64_scalar(0), 1), {0, -1, 1, 4});
  const auto part = [&](int64_t from) {
    return b.op("Slice", {corners, b.i64({from}), b.i64({from + 2}), b.i64({1}), b.i64({3})});
  };
  const OutPort low = part(0), high = part(2);
  const OutPort size = b.op("Sub", {high, low});
  const OutPort sizes = b.concat({size, size}, 3), codes = b.reshape(boxes, {0, -1, classes, 4});
  return b.reshape(b.op("Mul", {codes, sizes}), {0, -1});
}

}  // namespace

/// (boxes, scores, prior boxes; RefineDet's first scores and boxes)
void extract_detection_output(Node& node) {
  const int count = bottoms_of(node) >= 5 ? 5 : 3;
  std::vector<OutPort> inputs;
  Builder b(node);
  for (int i = 0; i < count; ++i) {
    require_input(node, i);
    inputs.push_back(i == 2 ? node.source(i) : rows(b, node.source(i)));
  }
  if (node.get_float("eta", 1) != 1)
    throw Error(Code::UnsupportedForm, msg("a suppression whose threshold changes: eta is ", node.get_float("eta")));
  std::string code = node.get_string("code_type", "CORNER");
  if (code == "CORNER_SIZE") {
    if (count == 5) throw Error(Code::UnsupportedForm, "CORNER_SIZE with boxes of a first stage");
    inputs[0] =
        as_corners(b, inputs[0], inputs[2],
                   node.get_bool("share_location", true) ? 1 : std::max<int64_t>(1, node.get_int("num_classes")));
    code = "CORNER";
  }
  const Attributes given = node.attributes;
  const auto limit = [&](const char* name) {
    const int64_t* value = given.get_if<int64_t>(name);
    return value && *value > 0 ? *value : int64_t{-1};
  };
  become(node, "DetectionOutput", inputs);
  keep(node, given,
       {"nms_threshold", "background_label_id", "variance_encoded_in_target", "share_location", "normalized",
        "input_width", "input_height", "objectness_score"});
  if (count == 5 && !node.has("objectness_score")) node.set("objectness_score", 0.01);
  node.set("code_type", "caffe.PriorBoxParameter." + code);
  node.set("top_k", limit("top_k"));
  node.set("keep_top_k", limit("keep_top_k"));
  const double* least = given.get_if<double>("confidence_threshold");
  node.set("confidence_threshold", least ? *least : static_cast<double>(std::numeric_limits<float>::lowest()));
}

namespace {

void become_proposal(Node& node, Attributes given) {
  for (const int i : {0, 1, 2}) require_input(node, i);
  become(node, "Proposal", {node.source(0), node.source(1), node.source(2)});
  const auto list = [&](const char* name, const Doubles& otherwise) {
    const Doubles* value = given.get_if<Doubles>(name);
    node.set(name, value && !value->empty() ? *value : otherwise);
  };
  keep(node, given, {"feat_stride", "base_size", "min_size"});
  list("ratio", {0.5, 1, 2});
  list("scale", {8, 16, 32});
  keep(node, given, {"pre_nms_topn", "post_nms_topn", "nms_thresh"});
}

/// Numbers of a Python layer: what its text gives, else these.
void become_proposal(Node& node, int64_t before, int64_t after, double threshold) {
  Attributes all{{"feat_stride", 16},      {"base_size", 16},        {"min_size", 16},
                 {"pre_nms_topn", before}, {"post_nms_topn", after}, {"nms_thresh", threshold}};
  Attributes given = read_param_str(node.get_string("param_str"));
  for (const auto& [name, value] : given) {
    const std::string_view key = name == "ratios" ? "ratio" : name == "scales" ? "scale" : std::string_view(name);
    const int64_t* whole = std::get_if<int64_t>(&value);
    if (const Ints* numbers = std::get_if<Ints>(&value))
      all.set(key, Doubles(numbers->begin(), numbers->end()));
    else if (whole && (key == "ratio" || key == "scale"))
      all.set(key, Doubles{static_cast<double>(*whole)});
    else if (whole && key == "nms_thresh")
      all.set(key, static_cast<double>(*whole));
    else
      all.set(key, value);
  }
  become_proposal(node, all);
}

}  // namespace

/// (scores, deltas, size of the image)
void extract_proposal(Node& node) { become_proposal(node, node.attributes); }
void extract_proposal_layer(Node& node) { become_proposal(node, 6000, 300, 0.7); }
void extract_ssh_proposal_layer(Node& node) { become_proposal(node, 1000, 1000, 1); }

/// (x, boxes with the number of their image before them)
void extract_roi_pooling(Node& node) {
  for (const int i : {0, 1}) require_input(node, i);
  const Attributes given = node.attributes;
  become(node, "ROIPooling", {node.source(0), node.source(1)});
  keep(node, given, {"pooled_h", "pooled_w", "spatial_scale"});
}

void extract_psroi_pooling(Node& node) {
  for (const int i : {0, 1}) require_input(node, i);
  const Attributes given = node.attributes;
  become(node, "PSROIPooling", {node.source(0), node.source(1)});
  keep(node, given, {"output_dim", "group_size", "spatial_scale"});
}

/// `axis` and `end_axis`, which become one, are those of Flatten.
void extract_region_yolo(Node& node) {
  require_input(node, 0);
  const Attributes given = node.attributes;
  become(node, "RegionYolo", {node.source(0)});
  keep(node, given, {"classes", "coords", "num", "do_softmax", "axis", "end_axis"});
  if (const Ints* mask = given.get_if<Ints>("mask"); mask && !mask->empty()) node.set("mask", *mask);
  keep_list(node, given, "anchors");
}

}  // namespace mo::caffe

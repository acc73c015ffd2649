// Before: boxes, classes, scores, number = DetectionPostProcess(encodings [1, n, 4...], scores [1, n, classes],
//         anchors [n, 4]) {max_detections, max_classes_per_detection, detections_per_class, use_regular_nms,
//         nms_score_threshold, nms_iou_threshold, num_classes, y_scale, x_scale, h_scale, w_scale}
// After:  boxes decoded from the anchors (y, x, h, w), NonMaxSuppression and TopK. Unless use_regular_nms, boxes are
//         suppressed by the score of their best class, and each box that is left gives its best classes; otherwise each
//         class is suppressed by itself. Places without a detection are 0.
// Conditions: one image. num_classes does not count a background; if there is one more class, it is the first.

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/decompose/detection/suppression.h"
#include "core/decompose/math/constants.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeDetectionPostProcess final : public Decomposition {
 public:
  Names ops() const override { return {"DetectionPostProcess"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const int64_t classes = node.get_int("num_classes"), most = node.get_int("max_detections");
    const int64_t each = std::min(node.get_int("max_classes_per_detection", 1), classes);
    const OutPort boxes = decoded(b, node);
    // Without the score of a background, which would be the first.
    const OutPort all = b.op("Slice", {node.source(1), b.i64({-classes}), b.i64({INT64_MAX}), b.i64({1}), b.i64({2})});
    const OutPort scores = b.transpose(all, {0, 2, 1});  // [1, classes, n]
    if (node.get_bool("use_regular_nms")) return regular(b, node, boxes, scores, most);
    return fast(b, node, boxes, scores, most, each);
  }

 private:
  static OutPort number(Builder& b, double value) { return b.f32_scalar(static_cast<float>(value)); }

  /// [1, n, 4] as y1, x1, y2, x2.
  static OutPort decoded(Builder& b, const Node& node) {
    const auto column = [&](OutPort from, int64_t i) { return b.gather(from, b.i64({i}), -1); };
    const OutPort encodings = node.source(0), anchors = node.source(2);
    const char* scales[] = {"y_scale", "x_scale", "h_scale", "w_scale"};
    OutPort centre[2], half[2];
    for (int i = 0; i < 2; ++i) {
      const OutPort at = column(anchors, i), size = column(anchors, i + 2);
      const OutPort shift = b.op("Div", {column(encodings, i), number(b, node.get_float(scales[i]))});
      const OutPort growth = b.op("Div", {column(encodings, i + 2), number(b, node.get_float(scales[i + 2]))});
      centre[i] = b.op("Add", {b.op("Mul", {shift, size}), at});
      half[i] = b.op("Mul", {b.op("Mul", {b.op("Exp", {growth}), size}), number(b, 0.5)});
    }
    std::vector<OutPort> corners;
    for (const char* op : {"Sub", "Add"})
      for (int i = 0; i < 2; ++i) corners.push_back(b.op(op, {centre[i], half[i]}));
    return b.concat(corners, -1);
  }

  /// Indices (image, class, box) of NonMaxSuppression, by score.
  static OutPort suppressed_indices(Builder& b, const Node& node, OutPort boxes, OutPort scores, int64_t most) {
    // TensorFlow Lite keeps a box whose score equals the threshold, NonMaxSuppression does not. So it gets the next
    // smaller number.
    const auto least = static_cast<float>(node.get_float("nms_score_threshold"));
    const OutPort score = b.f32_scalar(std::nextafter(least, -std::numeric_limits<float>::max()));
    const OutPort overlap = suppression_threshold(b, number(b, node.get_float("nms_iou_threshold")));
    const std::vector<OutPort> inputs{boxes, scores, b.i64_scalar(most), overlap, score};
    return suppressed(b, inputs).out(0);
  }

  /// The first `count` rows of x; if it has fewer, zeros follow.
  static OutPort rows(Builder& b, OutPort x, int64_t count, const Ints& rest) {
    Ints shape{count};
    shape.insert(shape.end(), rest.begin(), rest.end());
    const OutPort zeros = b.constant(make_splat(x.tensor().type, shape, 0));
    return b.op("Slice", {b.concat({x, zeros}, 0), b.i64({0}), b.i64({count}), b.i64({1}), b.i64({0})});
  }

  static std::vector<OutPort> fast(Builder& b, const Node& node, OutPort boxes, OutPort scores, int64_t most,
                                   int64_t each) {
    const OutPort best = b.reduce("ReduceMax", scores, {1}, true);
    const OutPort selected = suppressed_indices(b, node, boxes, best, most);
    const OutPort box = b.squeeze(b.gather(selected, b.i64({2}), 1), {1});
    const OutPort by_box = b.gather(b.transpose(b.squeeze(scores, {0}), {1, 0}), box, 0);  // [found, classes]
    Node& classes = b.node(
        "TopK", {by_box, b.i64_scalar(each)},
        {{"axis", int64_t{-1}}, {"mode", "max"}, {"sort", "value"}, {"index_element_type", ElementType::I64}}, 2);
    const OutPort found = b.gather(b.squeeze(boxes, {0}), box, 0);
    const OutPort of_class =
        b.op("Broadcast", {b.unsqueeze(found, {1}), b.i64({1, each, 1})}, {{"mode", "bidirectional"}});
    const OutPort flat_boxes = b.reshape(of_class, {-1, 4}, false);
    const OutPort flat_classes = b.reshape(classes.out(1), {-1}, false);
    const OutPort flat_scores = b.reshape(classes.out(0), {-1}, false);
    return results(b, flat_boxes, flat_classes, flat_scores, b.dims_of(box, {0}), most * each);
  }

  static std::vector<OutPort> regular(Builder& b, const Node& node, OutPort boxes, OutPort scores, int64_t most) {
    const OutPort selected = suppressed_indices(b, node, boxes, scores, node.get_int("detections_per_class", 100));
    const OutPort score = b.op("GatherND", {scores, selected});  // [found]
    // The `most` best, in the order of their scores.
    const OutPort padded = b.concat({score, b.constant(make_splat(ElementType::F32, {most}, -1))}, 0);
    Node& order =
        b.node("TopK", {padded, b.i64_scalar(most)},
               {{"axis", int64_t{0}}, {"mode", "max"}, {"sort", "value"}, {"index_element_type", ElementType::I64}}, 2);
    const OutPort triples = b.concat({selected, b.constant(make_splat(selected.tensor().type, {most, 3}, 0))}, 0);
    const OutPort chosen = b.gather(triples, order.out(1), 0);
    const OutPort count = b.op("Minimum", {b.dims_of(selected, {0}), b.i64({most})});
    const auto column = [&](int64_t i) { return b.squeeze(b.gather(chosen, b.i64({i}), 1), {1}); };
    const OutPort inside = b.op("GreaterEqual", {order.out(0), number(b, 0)});
    const auto or_zero = [&](OutPort x, OutPort condition) { return b.op("Select", {condition, x, number(b, 0)}); };
    const OutPort all = b.squeeze(boxes, {0}), box = b.gather(all, column(2), 0);
    const OutPort inside_box = b.unsqueeze(inside, {1});
    return {b.unsqueeze(or_zero(box, inside_box), {0}),
            b.unsqueeze(or_zero(b.convert(column(1), ElementType::F32), inside), {0}),
            b.unsqueeze(or_zero(order.out(0), inside), {0}), b.convert(count, ElementType::F32)};
  }

  static std::vector<OutPort> results(Builder& b, OutPort boxes, OutPort classes, OutPort scores, OutPort count,
                                      int64_t most) {
    return {b.unsqueeze(rows(b, boxes, most, {4}), {0}),
            b.unsqueeze(rows(b, b.convert(classes, ElementType::F32), most, {}), {0}),
            b.unsqueeze(rows(b, scores, most, {}), {0}), b.convert(count, ElementType::F32)};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeDetectionPostProcess)
}  // namespace mo

// Before: indices = NonMaxSuppressionONNX(boxes, scores, max boxes, IoU, score) {center_point_box}
// After:  indices = NonMaxSuppression(boxes, scores, max boxes, IoU, score) {box_encoding, sort_result_descending…}
// ONNX drops a box whose overlap is greater than the threshold, IR one whose overlap is greater or equal. So the
// threshold becomes the next larger number.
// Conditions: none.

#include <algorithm>
#include <cmath>

#include "core/rewrite/transform.h"

namespace mo {
namespace {

constexpr float kLeastOverlap = 0x1p-126F;  // the least normal number; runtimes may flush smaller ones to zero

class DecomposeNonMaxSuppression final : public Decomposition {
 public:
  Names ops() const override { return {"NonMaxSuppressionONNX"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const auto given = [&](int i) {
      return node.has_in(i) && node.source(i).tensor().shape != PartialShape{Dimension(0)};
    };
    const OutPort most = given(2) ? node.source(2) : b.i64_scalar(0);
    const OutPort overlap = given(3) ? next_larger(b, node.source(3)) : b.f32_scalar(kLeastOverlap);
    const OutPort score = given(4) ? node.source(4) : b.f32_scalar(-3.402823466e38F);
    Node& nms = b.node("NonMaxSuppression", {node.source(0), node.source(1), most, overlap, score},
                       {{"box_encoding", node.get_bool("center_point_box") ? "center" : "corner"},
                        {"sort_result_descending", false},
                        {"output_type", ElementType::I64}},
                       3);
    return {nms.out(0)};
  }

 private:
  static OutPort next_larger(Builder& b, OutPort threshold) {
    const Tensor& tensor = threshold.tensor();
    if (tensor.value)
      if (const auto numbers = read_doubles(*tensor.value, b.graph().files(), 1); numbers && numbers->size() == 1)
        return b.f32_scalar(std::max(std::nextafter(static_cast<float>((*numbers)[0]), 2.0F), kLeastOverlap));
    // Adding between half a unit and one unit in the last place rounds to the next number.
    const OutPort more = b.op("Mul", {threshold, b.f32_scalar(0x1.02p-24F)});
    return b.op("Maximum", {b.op("Add", {threshold, more}), b.f32_scalar(kLeastOverlap)});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeNonMaxSuppression)
}  // namespace mo

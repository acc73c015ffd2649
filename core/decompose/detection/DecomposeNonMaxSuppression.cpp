// Before: indices = NonMaxSuppressionONNX(boxes, scores, max boxes, IoU, score) {center_point_box}
// After:  indices = NonMaxSuppression(boxes, scores, max boxes, IoU, score) {box_encoding, sort_result_descending…}
// ONNX drops a box whose overlap is greater than the threshold, IR one whose overlap is greater or equal. So the
// threshold becomes the next larger number.
// Conditions: none.

#include "core/decompose/detection/suppression.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeNonMaxSuppression final : public Decomposition {
 public:
  Names ops() const override { return {"NonMaxSuppressionONNX"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const auto given = [&](int i) {
      return node.has_in(i) && node.source(i).tensor().shape != PartialShape{Dimension(0)};
    };
    const OutPort most = given(2) ? node.source(2) : b.i64_scalar(0);
    const OutPort overlap = suppression_threshold(b, given(3) ? node.source(3) : OutPort());
    const OutPort score = given(4) ? node.source(4) : b.f32_scalar(-3.402823466e38F);
    return {suppressed(b, {node.source(0), node.source(1), most, overlap, score}, node.get_bool("center_point_box"))
                .out(0)};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeNonMaxSuppression)
}  // namespace mo

// Before: y = CropAndResize(images [batch, H, W, C], boxes [n, 4], image of each box, size of the results)
//         {extrapolation_value}
// After:  y = ROIPooling(images - value, [image, x1, y1, x2, y2]) {bilinear} + value: outside of an image it gives 0
// Conditions: the size of the results is known. CropAndResizeNearest and others: CropByWeights, CropByWeightsNearest.

#include "core/decompose/math/formula.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeCropAndResize final : public Decomposition {
 public:
  Names ops() const override { return {"CropAndResize", "CropAndResizeNearest"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    for (int i = 0; i < 4; ++i) require_input(node, i);
    const OutPort images = node.source(0), boxes = node.source(1), places = node.source(2), size = node.source(3);
    const auto known = size.exact_ints();
    const bool is_nearest = node.op() == "CropAndResizeNearest";
    if (is_nearest || !known || known->size() != 2 || !is_size((*known)[0]) || !is_size((*known)[1]))
      return evaluate(b, node, is_nearest ? "CropByWeightsNearest(x,y,z,w)" : "CropByWeights(x,y,z,w)",
                      {images, boxes, places, size});
    OutPort x = b.transpose(b.convert(images, ElementType::F32), {0, 3, 1, 2});
    const OutPort value = b.f32_scalar(static_cast<float>(node.get_float("extrapolation_value")));
    const bool shifts = node.get_float("extrapolation_value") != 0;
    if (shifts) x = b.op("Sub", {x, value});
    const OutPort corners = b.convert(boxes, ElementType::F32);
    const OutPort sides = b.gather(corners, b.i64({1, 0, 3, 2}), 1);
    const OutPort regions = b.concat({b.unsqueeze(b.convert(places, ElementType::F32), {1}), sides}, 1);
    OutPort y =
        b.op("ROIPooling", {x, regions},
             {{"pooled_h", (*known)[0]}, {"pooled_w", (*known)[1]}, {"spatial_scale", 1.0}, {"method", "bilinear"}});
    if (shifts) y = b.op("Add", {y, value});
    return {b.transpose(y, {0, 2, 3, 1})};
  }

 private:
  static bool is_size(int64_t size) { return size >= 1 && size <= 1 << 14; }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeCropAndResize)
}  // namespace mo

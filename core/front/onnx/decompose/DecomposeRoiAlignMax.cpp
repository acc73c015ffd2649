// Before: y = ROIAlignMax(x [N, C, H, W], boxes [R, 4], batch indices [R]) {pooled_h, pooled_w, sampling_ratio…}
// After:  y = ReduceMax over the samples of each bin of the maximum over four corners of weight * element
// ONNX's RoiAlign with mode max takes the largest weighted corner; IR's ROIAlign the largest interpolated sample.
// Conditions: sampling_ratio is given.

#include "core/rewrite/transform.h"

namespace mo {
namespace {

/// The samples along one axis, each [R, samples]: the elements before and after as i64 (f32 does not count beyond
/// 2^24), and their weights.
struct RoiSamples {
  OutPort index[2], weight[2];
};

class DecomposeRoiAlignMax final : public Decomposition {
 public:
  Names ops() const override { return {"ROIAlignMax"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const int64_t ratio = node.get_int("sampling_ratio"), height = node.get_int("pooled_h"),
                  width = node.get_int("pooled_w");
    if (ratio < 1 || height < 1 || width < 1 || ratio > 1024 || height > 1024 || width > 1024)
      throw Error(Code::UnsupportedForm, "maximum over a number of samples that depends on the box");
    const OutPort x = node.source(0);
    const bool half_pixel = node.get_string("aligned_mode") != "asymmetric";
    OutPort boxes = b.op("Mul", {b.convert(node.source(1), ElementType::F32),
                                 b.f32_scalar(static_cast<float>(node.get_float("spatial_scale")))});
    if (half_pixel) boxes = b.op("Sub", {boxes, b.f32_scalar(0.5F)});
    const RoiSamples rows = samples(b, x, boxes, 1, height, ratio, half_pixel),
                     columns = samples(b, x, boxes, 0, width, ratio, half_pixel);

    const OutPort images = b.gather(x, node.source(2), 0), flat = b.reshape(images, {0, 0, -1});
    const OutPort line = b.dims_of(x, {3});
    OutPort best;
    for (int corner = 0; corner < 4; ++corner) {
      const int r = corner / 2, c = corner % 2;
      const auto crossed = [&](OutPort of_rows, OutPort of_columns, const char* op, const Ints& shape) {
        return b.reshape(b.op(op, {b.unsqueeze(of_rows, {2}), b.unsqueeze(of_columns, {1})}), shape);
      };
      const OutPort place = crossed(b.op("Mul", {rows.index[r], line}), columns.index[c], "Add", {0, -1});
      const OutPort weight = crossed(rows.weight[r], columns.weight[c], "Mul", {0, 1, -1});
      const OutPort elements = b.op("Gather", {flat, place, b.i64_scalar(2)}, {{"batch_dims", int64_t{1}}});
      const OutPort same = x.tensor().type == ElementType::Unknown ? b.op("ConvertLike", {weight, x})
                                                                   : b.convert(weight, x.tensor().type);
      const OutPort part = b.op("Mul", {elements, same});
      best = best ? b.op("Maximum", {best, part}) : part;
    }
    return {b.reduce("ReduceMax", b.reshape(best, {0, 0, height, ratio, width, ratio}), {3, 5}, false)};
  }

 private:
  static RoiSamples samples(Builder& b, OutPort x, OutPort boxes, int64_t axis, int64_t bins, int64_t ratio,
                            bool half_pixel) {
    std::vector<float> parts;
    for (int64_t i = 0; i < bins * ratio; ++i)
      parts.push_back((static_cast<float>(i) + 0.5F) / static_cast<float>(ratio * bins));
    const OutPort zero = b.f32_scalar(0), one = b.f32_scalar(1);
    const OutPort start = b.gather(boxes, b.i64({axis}), 1), end = b.gather(boxes, b.i64({axis + 2}), 1);
    OutPort length = b.op("Sub", {end, start});
    if (!half_pixel) length = b.op("Maximum", {length, one});
    const OutPort place = b.op("Add", {start, b.op("Mul", {length, b.constant(make_f32({1, bins * ratio}, parts))})});
    const OutPort size = b.convert(b.dims_of(x, {3 - axis}), ElementType::F32), last = b.op("Sub", {size, one});
    const OutPort counts =
        b.op("LogicalAnd", {b.op("GreaterEqual", {place, b.f32_scalar(-1)}), b.op("LessEqual", {place, size})});
    const OutPort inside = b.op("Minimum", {b.op("Maximum", {place, zero}), last}), low = b.op("Floor", {inside});
    const OutPort above = b.op("Sub", {inside, low}), valid = b.convert(counts, ElementType::F32);
    const OutPort next = b.op("Minimum", {b.op("Add", {low, one}), last});
    return {{b.convert(low, ElementType::I64), b.convert(next, ElementType::I64)},
            {b.op("Mul", {b.op("Sub", {one, above}), valid}), b.op("Mul", {above, valid})}};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeRoiAlignMax)
}  // namespace mo

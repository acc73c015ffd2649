// Before: y = TFResize(x [batch, H, W, C], size) {mode, align_corners, half_pixel_centers}
// After:  y = Interpolate(x, size, axes [1, 2])
//         cubic: products with weights, which TensorFlow computes for 1024 positions in a pixel
// Conditions: none.

#include "core/decompose/spatial/resample.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeTFResize final : public Decomposition {
 public:
  Names ops() const override { return {"TFResize"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const std::string mode = node.get_string("mode");
    const bool corners = node.get_bool("align_corners"), centers = node.get_bool("half_pixel_centers"),
               nearest = mode == "nearest";
    const OutPort x = nearest ? node.source(0) : b.convert(node.source(0), ElementType::F32),
                  size = b.convert(node.source(1), ElementType::I64);
    const char* coordinates = "half_pixel";
    if (!centers) coordinates = corners ? "align_corners" : "asymmetric";
    if (mode == "cubic") return {cubic(b, x, size, coordinates)};
    if (centers && nearest) coordinates = "tf_half_pixel_for_nn";
    return {b.op("Interpolate", {x, size, b.constant(make_f32({2}, {1, 1})), b.i64({1, 2})},
                 {{"mode", mode},
                  {"shape_calculation_mode", "sizes"},
                  {"coordinate_transformation_mode", coordinates},
                  {"nearest_mode", corners ? "round_prefer_ceil" : "floor"},
                  {"antialias", false},
                  {"pads_begin", Ints{0, 0, 0, 0}},
                  {"pads_end", Ints{0, 0, 0, 0}}})};
  }

 private:
  static OutPort cubic(Builder& b, OutPort x, OutPort size, const char* coordinates) {
    if (!x.tensor().shape.has_rank()) throw Error(Code::UnsupportedForm, "cubic resizing of a tensor of unknown rank");
    Resampling how;
    how.mode = "cubic", how.coordinates = coordinates, how.steps = 1024;
    how.exclude_outside = how.coordinates == "half_pixel";
    how.cubic_coefficient = how.exclude_outside ? -0.5 : -0.75;
    const OutPort from = b.convert(b.dims_of(x, {1, 2}), ElementType::F32);
    const OutPort scales = b.op("Div", {b.convert(size, ElementType::F32), from});
    std::vector<ResamplingAxis> axes;
    for (const int64_t i : {0, 1}) {
      const OutPort at = b.i64_scalar(i);
      const OutPort wanted = b.gather(size, at, 0), scale = b.gather(scales, at, 0);
      axes.push_back({i + 1, wanted, scale, {}, {}});
    }
    return resample(b, x, how, axes);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeTFResize)
}  // namespace mo

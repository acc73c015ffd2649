// Before: y = Resample(x [, like]) {kernel, antialias, sizes, factor}
// After:  y = Interpolate(x, sizes, axes [2, 3]) where both axes have the same factor, and two elements or one decide;
//         else products with weights: ResampleByWeights, ResampleNearest
// Conditions: none. Caffe shifts each axis by the factor of the other one, so half a pixel only if they are equal.
// Runtimes ignore `antialias` of Interpolate for pictures (docs/runtime.md).

#include <algorithm>

#include "core/decompose/math/formula.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeResample final : public Decomposition {
 public:
  Names ops() const override { return {"Resample"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0);
    const OutPort sizes = sizes_of(b, node);
    const std::string kernel = node.get_string("kernel");
    const double factor = equal_factor(x, sizes);
    if (factor == 1) return {x};
    const bool antialias = !kernel.empty() && factor > 1 && node.get_int("antialias") != 0;
    if (factor == 0 || antialias || kernel == "KeysCubic")
      return evaluate(b, node, formula_of(kernel.empty() ? "ResampleNearest" : "ResampleByWeights"), {x, sizes});
    return {b.op("Interpolate", {x, sizes, b.constant(make_f32({2}, {1, 1})), b.i64({2, 3})},
                 {{"mode", kernel.empty() ? "nearest" : "linear_onnx"},
                  {"shape_calculation_mode", "sizes"},
                  {"coordinate_transformation_mode", "half_pixel"},
                  {"nearest_mode", "round_prefer_ceil"},
                  {"antialias", false},
                  {"pads_begin", Ints{0, 0, 0, 0}},
                  {"pads_end", Ints{0, 0, 0, 0}}})};
  }

 private:
  static OutPort sizes_of(Builder& b, const Node& node) {
    if (const Ints given = node.get_ints("sizes"); !given.empty()) return b.i64(given);
    if (!node.has("factor")) return b.dims_of(node.source(1), {2, 3});
    const OutPort x = node.source(0);
    const PartialShape& shape = x.tensor().shape;
    const double factor = node.get_float("factor");
    if (shape.rank() == 4 && shape[2].is_exact() && shape[3].is_exact()) {
      const auto larger = [&](size_t axis) {
        return static_cast<int64_t>(std::min(1e15, static_cast<double>(shape[axis].min) * factor));
      };
      return b.i64({larger(2), larger(3)});
    }
    const OutPort sizes = b.convert(b.dims_of(x, {2, 3}), ElementType::F32);
    const OutPort product = b.op("Mul", {sizes, b.f32_scalar(static_cast<float>(factor))});
    return b.convert(b.op("Floor", {product}), ElementType::I64);
  }

  /// By which the size of x is larger along both axes; 0 if they differ, or are unknown.
  static double equal_factor(OutPort x, OutPort sizes) {
    const PartialShape& shape = x.tensor().shape;
    const auto& known = sizes.tensor().ints;
    if (shape.rank() != 4 || !known || known->elements.size() != 2) return 0;
    int64_t in[2], out[2];
    for (size_t i = 0; i < 2; ++i) {
      if (!known->elements[i].is_exact() || !shape[i + 2].is_exact()) return 0;
      in[i] = shape[i + 2].min, out[i] = known->elements[i].min;
      if (in[i] < 1 || out[i] < 1 || in[i] > INT32_MAX || out[i] > INT32_MAX) return 0;
    }
    return in[0] * out[1] == in[1] * out[0] ? static_cast<double>(in[0]) / static_cast<double>(out[0]) : 0;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeResample)
}  // namespace mo

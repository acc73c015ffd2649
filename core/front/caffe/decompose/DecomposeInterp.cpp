// Before: y = Interp(x [, like]) {mode, sizes, shrink, zoom, gaps, crop_begin, crop_end}
// After:  y = Interpolate(x without its edges, sizes, axes [2, 3]); corners stay where they are, or of mode nearest
//         each element is repeated
// Conditions: x has four dimensions.

#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeInterp final : public Decomposition {
 public:
  Names ops() const override { return {"Interp"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = cropped(b, node), sizes = sizes_of(b, node, x);
    const bool nearest = node.get_string("mode") == "nearest";
    if (keeps(x, sizes)) return {x};
    return {b.op("Interpolate", {x, sizes, b.constant(make_f32({2}, {1, 1})), b.i64({2, 3})},
                 {{"mode", node.get_string("mode")},
                  {"shape_calculation_mode", "sizes"},
                  {"coordinate_transformation_mode", nearest ? "asymmetric" : "align_corners"},
                  {"nearest_mode", nearest ? "floor" : "round_prefer_floor"},
                  {"antialias", false},
                  {"pads_begin", Ints{0, 0, 0, 0}},
                  {"pads_end", Ints{0, 0, 0, 0}}})};
  }

 private:
  static OutPort cropped(Builder& b, Node& node) {
    const OutPort x = node.source(0);
    if (x.tensor().shape.has_rank() && x.tensor().shape.rank() != 4)
      throw Error(Code::RankMismatch, msg("[", to_string(x.tensor().shape), "], not four dimensions"));
    const int64_t begin = node.get_int("crop_begin"), end = node.get_int("crop_end");
    if (begin == 0 && end == 0) return x;
    const int64_t stop = end == 0 ? INT64_MAX : -end;
    return b.op("Slice", {x, b.i64({begin, begin}), b.i64({stop, stop}), b.i64({1, 1}), b.i64({2, 3})});
  }

  static OutPort sizes_of(Builder& b, const Node& node, OutPort x) {
    if (const Ints sizes = node.get_ints("sizes"); !sizes.empty()) return b.i64(sizes);
    if (node.has_in(1)) return b.dims_of(node.source(1), {2, 3});
    const int64_t shrink = node.get_int("shrink", 1), zoom = node.get_int("zoom"), gaps = node.get_int("gaps");
    OutPort sizes = b.dims_of(x, {2, 3});
    const OutPort one = b.i64({1});
    if (shrink != 1) sizes = b.op("Add", {b.op("Div", {b.op("Sub", {sizes, one}), b.i64({shrink})}), one});
    if (zoom == 0) return sizes;
    if (gaps == 0) return b.op("Mul", {sizes, b.i64({zoom + 1})});
    return b.op("Add", {sizes, b.op("Mul", {b.op("Sub", {sizes, one}), b.i64({zoom})})});
  }

  static bool keeps(OutPort x, OutPort sizes) {
    const PartialShape& shape = x.tensor().shape;
    const auto& known = sizes.tensor().ints;
    if (shape.rank() != 4 || !known || known->elements.size() != 2) return false;
    for (size_t i = 0; i < 2; ++i)
      if (!known->elements[i].is_exact() || !shape[i + 2].is_exact() || known->elements[i].min != shape[i + 2].min)
        return false;
    return true;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeInterp)
}  // namespace mo

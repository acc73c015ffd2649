// Shapes computed from shapes of permuted tensors.
#include "tests/core/layout/layout_graphs.h"

namespace mo::test {
namespace {

/// [?, ?, ?, 4]
OutPort conv_of_any(NhwcGraph& g) {
  const OutPort x = g.input("x", {kAnyDimension, kAnyDimension, kAnyDimension, 3}, {2, 6, 7, 3});
  return g.conv("conv", x, {4, 3, 3, 3});
}
OutPort joined(NhwcGraph& g, const std::string& name, List<OutPort> parts) {
  return g.op("Concat", name, parts, {{"axis", 0}});
}
OutPort shape_of(NhwcGraph& g, OutPort x) { return g.op("ShapeOf", "shape", {x}, {{"output_type", ElementType::I64}}); }

}  // namespace

std::vector<LayoutGraph> shape_path_graphs() {
  return {
      {"shape_as_output", [](NhwcGraph& g) { g.result(shape_of(g, conv_of_any(g)), "y"); }},
      {"shape_to_reshape",
       [](NhwcGraph& g) {
         const OutPort conv = conv_of_any(g), sizes = g.dims("sizes", conv, {0, 3}), rest = g.i64({-1});
         g.result(g.op("Reshape", "resh", {conv, joined(g, "pack", {sizes, rest})}, {{"special_zero", false}}), "y");
       }},
      {"shape_to_broadcast",
       [](NhwcGraph& g) {
         const OutPort conv = conv_of_any(g), row = g.weights({4});
         const OutPort wide = g.op("Broadcast", "wide", {row, shape_of(g, conv)}, {{"mode", "numpy"}});
         g.result(g.op("Add", "add", {conv, wide}), "y");
       }},
      {"shape_to_tile",
       [](NhwcGraph& g) {
         const OutPort conv = conv_of_any(g), height = g.dims("height", conv, {1}), one = g.i64({1});
         g.result(g.op("Tile", "tile", {conv, joined(g, "repeats", {one, one, height, one})}), "y");
       }},
      {"shape_to_pad",
       [](NhwcGraph& g) {
         const OutPort conv = conv_of_any(g), width = g.dims("width", conv, {2}), none = g.i64({0});
         const OutPort before = joined(g, "before", {none, none, width, none}), after = g.i64({0, 1, 0, 2});
         g.result(g.op("Pad", "pad", {conv, before, after, g.f32({}, {0})}, {{"mode", "constant"}}), "y");
       }},
      {"shape_to_strided_slice",
       [](NhwcGraph& g) {
         const OutPort conv = conv_of_any(g), shape = shape_of(g, conv), less = g.i64({0, 1, 2, 1});
         const OutPort end = g.op("Sub", "end", {shape, less}), begin = g.i64({0, 1, 0, 0}), step = g.i64({1, 1, 1, 1});
         const Ints none{0, 0, 0, 0};
         g.result(g.op("StridedSlice", "slice", {conv, begin, end, step}, {{"begin_mask", none}, {"end_mask", none}}),
                  "y");
       }},
      {"shape_to_slice",
       [](NhwcGraph& g) {
         const OutPort conv = conv_of_any(g), end = g.dims("end", conv, {2}), begin = g.i64({1}), step = g.i64({1});
         const OutPort axes = g.i64({2});
         g.result(g.op("Slice", "slice", {conv, begin, end, step, axes}), "y");
       }},
      {"shape_to_interpolate",
       [](NhwcGraph& g) {
         const OutPort x = conv_of_any(g), small = g.pool("MaxPool", "pool", x), hw = g.dims("hw", x, {1, 2});
         const OutPort scales = g.f32({2}, {1, 1}), axes = g.i64({1, 2});
         const OutPort large = g.op("Interpolate", "resize", {small, hw, scales, axes},
                                    {{"mode", "nearest"},
                                     {"shape_calculation_mode", "sizes"},
                                     {"coordinate_transformation_mode", "asymmetric"},
                                     {"nearest_mode", "floor"},
                                     {"antialias", false},
                                     {"pads_begin", Ints{0, 0, 0, 0}},
                                     {"pads_end", Ints{0, 0, 0, 0}},
                                     {"cube_coeff", -0.75}});
         g.result(g.op("Add", "add", {x, large}), "y");
       }},
      {"axes_computed",
       [](NhwcGraph& g) {
         const OutPort conv = conv_of_any(g), axis = g.input("axis", {1}, {}, ElementType::I64);
         g.result(g.op("ReduceSum", "sum", {conv, axis}, {{"keep_dims", true}}), "y");
       }},
      {"shape_of_input",
       [](NhwcGraph& g) {
         const OutPort x = g.input("x", {kAnyDimension, 8, 10, 3}, {2, 8, 10, 3}), batch = g.dims("batch", x, {0});
         const OutPort conv = g.conv("conv", x, {4, 3, 3, 3}), rest = g.i64({80, 4});
         g.result(g.op("Reshape", "resh", {conv, joined(g, "pack", {batch, rest})}, {{"special_zero", false}}), "y");
       }},
  };
}

}  // namespace mo::test

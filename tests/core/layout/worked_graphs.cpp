// The worked examples of Model Optimizer's layout change, in the form after its front phase.
#include "tests/core/layout/layout_graphs.h"

namespace mo::test {
namespace {

OutPort static_image(NhwcGraph& g) { return g.input("x", {1, 8, 10, 3}); }
OutPort image_of_any_batch(NhwcGraph& g) { return g.input("x", {kAnyDimension, 8, 10, 3}, {2, 8, 10, 3}); }
OutPort fully_connected(NhwcGraph& g, OutPort x, const Shape& weights) {
  return g.op("MatMul", "fc", {x, g.weights(weights)}, {{"transpose_a", false}, {"transpose_b", false}});
}
const Attributes kPlainReshape{{"special_zero", false}};

}  // namespace

std::vector<LayoutGraph> worked_graphs() {
  return {
      {"worked_1_conv_bias_relu",
       [](NhwcGraph& g) {
         const OutPort conv = g.conv("conv", static_image(g), {4, 3, 3, 3});
         const OutPort bias = g.op("Add", "biasadd/Add", {conv, g.weights({4})});
         g.result(g.op("ReLU", "relu", {bias}), "relu");
       }},
      {"worked_2_conv_mean_matmul",
       [](NhwcGraph& g) {
         const OutPort conv = g.conv("conv", static_image(g), {4, 3, 3, 3});
         const OutPort mean = g.op("ReduceMean", "mean", {conv, g.i64({1, 2})}, {{"keep_dims", false}});
         g.result(fully_connected(g, mean, {4, 5}), "fc");
       }},
      {"worked_3_conv_reshape_matmul",
       [](NhwcGraph& g) {
         const OutPort conv = g.conv("conv", static_image(g), {4, 3, 3, 3});
         const OutPort flat = g.op("Reshape", "flat", {conv, g.i64({1, 320})}, kPlainReshape);
         g.result(fully_connected(g, flat, {320, 5}), "fc");
       }},
      {"worked_4_concat",
       [](NhwcGraph& g) {
         const OutPort x = static_image(g), a = g.conv("conv_a", x, {4, 3, 3, 3}),
                       b = g.conv("conv_b", x, {2, 3, 1, 1});
         g.result(g.op("Concat", "cat", {a, b, x}, {{"axis", 3}}), "cat");
       }},
      {"worked_5_strided_slice_shrink",
       [](NhwcGraph& g) {
         const OutPort conv = g.conv("conv", static_image(g), {4, 3, 3, 3});
         const OutPort begin = g.i64({0, 2, 0, 1}), end = g.i64({0, 6, 0, 2}), step = g.i64({1, 1, 1, 1});
         g.result(g.op("StridedSlice", "strided_slice", {conv, begin, end, step},
                       {{"begin_mask", Ints{1, 0, 1, 0}},
                        {"end_mask", Ints{1, 0, 1, 0}},
                        {"shrink_axis_mask", Ints{0, 0, 0, 1}}}),
                  "ss");
       }},
      {"worked_6_shape_pack_reshape",
       [](NhwcGraph& g) {
         const OutPort conv = g.conv("conv", image_of_any_batch(g), {4, 3, 3, 3});
         const OutPort batch = g.dims("batch", conv, {0}), rest = g.i64({-1});
         const OutPort shape = g.op("Concat", "pack", {batch, rest}, {{"axis", 0}});
         g.result(fully_connected(g, g.op("Reshape", "resh", {conv, shape}, kPlainReshape), {320, 5}), "fc");
       }},
      {"worked_6b_shape_pack_reshape_3d",
       [](NhwcGraph& g) {
         const OutPort conv = g.conv("conv", image_of_any_batch(g), {4, 3, 3, 3});
         const OutPort batch = g.dims("n", conv, {0}), rest = g.i64({80, 4});
         const OutPort shape = g.op("Concat", "pack", {batch, rest}, {{"axis", 0}});
         g.result(g.op("Reshape", "resh", {conv, shape}, kPlainReshape), "resh");
       }},
      {"worked_6c_shape_pack_reshape_conv",
       [](NhwcGraph& g) {
         const OutPort conv = g.conv("conv", image_of_any_batch(g), {4, 3, 3, 3});
         const OutPort batch = g.dims("n", conv, {0}), rest = g.i64({4, 20, 4});
         const OutPort shape = g.op("Concat", "pack", {batch, rest}, {{"axis", 0}});
         g.result(g.conv("conv2", g.op("Reshape", "resh", {conv, shape}, kPlainReshape), {2, 4, 1, 1}), "conv2");
       }},
      {"worked_7_depthwise_resize",
       [](NhwcGraph& g) {
         const OutPort x = image_of_any_batch(g), w = g.weights({3, 1, 1, 3, 3});
         const OutPort dw = g.op("GroupConvolution", "dw", {x, w},
                                 channels_last(4, {{"strides", Ints{1, 1}}, {"auto_pad", "same_upper"}}));
         const OutPort hw = g.dims("hw", dw, {1, 2}), twice = g.i64({2, 2});
         const OutPort sizes = g.op("Mul", "hw2", {hw, twice}), scales = g.f32({2}, {2, 2}), axes = g.i64({1, 2});
         g.result(g.op("Interpolate", "resize", {dw, sizes, scales, axes},
                       {{"mode", "linear_onnx"},
                        {"shape_calculation_mode", "sizes"},
                        {"coordinate_transformation_mode", "half_pixel"},
                        {"nearest_mode", "round_prefer_floor"},
                        {"antialias", false},
                        {"pads_begin", Ints{0, 0, 0, 0}},
                        {"pads_end", Ints{0, 0, 0, 0}},
                        {"cube_coeff", -0.75}}),
                  "resize");
       }},
      {"worked_8_deconvolution",
       [](NhwcGraph& g) {
         const OutPort conv = g.conv("conv", image_of_any_batch(g), {4, 3, 3, 3});
         const OutPort hw = g.dims("hw", conv, {1, 2}), twice = g.i64({2, 2});
         const OutPort sizes = g.op("Mul", "hw2", {hw, twice}), w = g.weights({4, 5, 4, 4});
         g.result(g.op("ConvolutionBackpropData", "deconv", {conv, w, sizes},
                       channels_last(4, {{"strides", Ints{2, 2}}, {"auto_pad", "same_lower"}})),
                  "deconv");
       }},
  };
}

}  // namespace mo::test

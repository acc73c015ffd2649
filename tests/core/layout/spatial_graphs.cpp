// Operations with batch, channels and spatial axes.
#include "tests/core/layout/layout_graphs.h"

namespace mo::test {
namespace {

OutPort image(NhwcGraph& g) { return g.input("x", {1, 8, 10, 4}); }
const Attributes kSameStride1 = channels_last(4, {{"strides", Ints{1, 1}}, {"auto_pad", "same_upper"}});
/// The attributes of an operation whose data is NCHW in an NHWC model.
Attributes channels_first(NewAttributes more) {
  Attributes out{{"batch_dims", Ints{0}}, {"channel_dims", Ints{1}}, {"spatial_dims", Ints{2, 3}}};
  out.update(more);
  return out;
}

}  // namespace

std::vector<LayoutGraph> spatial_graphs() {
  return {
      {"cnn",
       [](NhwcGraph& g) {
         OutPort x = g.input("x", {1, 16, 16, 3});
         int64_t channels = 3;
         for (const std::string block : {"a", "b"}) {
           const OutPort conv = g.conv(block + "/conv", x, {8, channels, 3, 3}, 2);
           const OutPort bias = g.op("Add", block + "/bias", {conv, g.weights({8})});
           x = g.pool("MaxPool", block + "/pool", g.op("ReLU", block + "/relu", {bias}));
           channels = 8;
         }
         g.result(g.conv("head", x, {5, 8, 1, 1}), "y");
       }},
      {"max_pool",
       [](NhwcGraph& g) {
         g.result(g.pool("MaxPool", "pool", g.conv("conv", image(g), {4, 4, 3, 3})), "y");
       }},
      {"pool_without_convolution",
       [](NhwcGraph& g) { g.result(g.op("ReLU", "relu", {g.pool("AvgPool", "pool", image(g))}), "y"); }},
      {"group_convolution",
       [](NhwcGraph& g) {
         const OutPort x = image(g), w = g.weights({2, 3, 2, 3, 3});
         g.result(g.op("GroupConvolution", "conv", {x, w}, kSameStride1), "y");
       }},
      {"convolution_backprop",
       [](NhwcGraph& g) {
         const OutPort x = image(g), w = g.weights({4, 5, 2, 2});
         g.result(g.op("ConvolutionBackpropData", "deconv", {x, w},
                       channels_last(4, {{"strides", Ints{2, 2}}, {"auto_pad", "valid"}})),
                  "y");
       }},
      {"convolution_3d",
       [](NhwcGraph& g) {
         const OutPort conv = g.conv("conv", g.input("x", {1, 4, 5, 6, 2}), {3, 2, 3, 3, 3});
         const OutPort bias = g.op("Add", "bias", {conv, g.weights({3})}), axis = g.i64({4});
         const OutPort sum = g.op("ReduceSum", "sum", {bias, axis}, {{"keep_dims", true}});
         g.result(g.op("Concat", "cat", {bias, sum}, {{"axis", 4}}), "y");
       }},
      {"convolution_3d_to_2d",
       [](NhwcGraph& g) {
         const OutPort conv = g.conv("conv", g.input("x", {1, 4, 5, 6, 2}), {3, 2, 3, 3, 3}), axis = g.i64({1});
         const OutPort flat = g.op("ReduceMax", "max", {conv, axis}, {{"keep_dims", false}});
         g.result(g.conv("conv2", flat, {2, 3, 3, 3}), "y");
       }},
      {"space_to_depth",
       [](NhwcGraph& g) {
         const OutPort conv = g.conv("conv", image(g), {4, 4, 3, 3});
         g.result(g.op("SpaceToDepth", "deep", {conv}, channels_last(4, {{"block_size", 2}, {"mode", "blocks_first"}})),
                  "y");
       }},
      {"depth_to_space",
       [](NhwcGraph& g) {
         g.result(
             g.op("DepthToSpace", "wide", {image(g)}, channels_last(4, {{"block_size", 2}, {"mode", "blocks_first"}})),
             "y");
       }},
      {"convolution_1d",
       [](NhwcGraph& g) {
         const OutPort x = g.input("x", {1, 10, 3}), w = g.weights({4, 3, 3});
         g.result(
             g.op("Convolution", "conv", {x, w}, channels_last(3, {{"strides", Ints{1}}, {"auto_pad", "same_upper"}})),
             "y");
       }},
      {"channels_first_between",
       [](NhwcGraph& g) {
         const OutPort conv = g.conv("conv", g.input("x", {1, 8, 10, 3}), {4, 3, 3, 3});
         const OutPort turn = g.op("Transpose", "turn", {conv, g.i64({0, 3, 1, 2})}), w = g.weights({2, 4, 3, 3});
         const OutPort second = g.op("Convolution", "conv_nchw", {turn, w},
                                     channels_first({{"strides", Ints{1, 1}}, {"auto_pad", "same_upper"}}));
         g.result(g.op("ReLU", "relu", {second}), "y");
       }},
      {"batch_last",
       [](NhwcGraph& g) {
         const OutPort x = g.input("x", {8, 10, 3, 2}), w = g.weights({4, 3, 3, 3});
         g.result(g.op("Convolution", "conv", {x, w},
                       {{"batch_dims", Ints{3}},
                        {"channel_dims", Ints{2}},
                        {"spatial_dims", Ints{0, 1}},
                        {"strides", Ints{1, 1}},
                        {"auto_pad", "same_upper"}}),
                  "y");
       }},
      {"any_batch",
       [](NhwcGraph& g) {
         const OutPort conv = g.conv("conv", g.input("x", {kAnyDimension, 8, 10, 3}, {3, 8, 10, 3}), {4, 3, 3, 3});
         g.result(g.op("Reshape", "flat", {g.op("ReLU", "relu", {conv}), g.i64({-1, 320})}, {{"special_zero", false}}),
                  "y");
       }},
      {"any_size",
       [](NhwcGraph& g) {
         const OutPort x = g.input("x", {1, kAnyDimension, kAnyDimension, 3}, {1, 9, 11, 3});
         const OutPort conv = g.conv("conv", x, {4, 3, 3, 3}, 2), bias = g.op("Add", "bias", {conv, g.weights({4})});
         const OutPort flat = g.op("Reshape", "flat", {bias, g.i64({1, -1, 4})}, {{"special_zero", false}});
         g.result(flat, "y0");
         g.result(g.pool("MaxPool", "pool", bias), "y1");
       }},
      {"any_rank",
       [](NhwcGraph& g) {
         const OutPort x = g.input("x", PartialShape(), {1, 8, 10, 3}), relu = g.op("ReLU", "relu", {x});
         g.result(g.conv("conv", relu, {4, 3, 3, 3}), "y0");
         g.result(g.op("Sigmoid", "sigmoid", {relu}), "y1");
       }},
  };
}

}  // namespace mo::test

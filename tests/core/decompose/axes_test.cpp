// Convolutions whose data and weights have another order of axes; numbers are compared in tests/numeric/test_axes.py.
#include <gtest/gtest.h>

#include "core/rewrite/transform.h"
#include "tests/core/ops/samples.h"

namespace mo {
std::unique_ptr<Transform> make_DecomposeConvolution();
std::unique_ptr<Transform> make_DecomposeDeconvolution();
}  // namespace mo

namespace mo::test {
namespace {

/// The replacement of a convolution of `data` and `weights`.
struct DecomposedConvolution {
  DecomposedConvolution(const char* op, const SampleInput& data, const SampleInput& weights,
                        const Attributes& attributes)
      : sample({op, {data, weights}, attributes}),
        rewrite(std::string_view(op) == "Conv" ? make_DecomposeConvolution() : make_DecomposeDeconvolution()) {
    Builder b(sample.node());
    y = static_cast<Decomposition&>(*rewrite).decompose(b, sample.node()).at(0);
  }
  std::string op() const { return y.node().op(); }
  std::string shape() const { return to_string(y.tensor().shape); }
  const Tensor& weights() const { return y.node().source(1).tensor(); }

  SampleNode sample;
  std::unique_ptr<Transform> rewrite;
  OutPort y;
};

/// The attributes for an order of weights.
Attributes ordered(int64_t in, int64_t out, const Ints& kernel) {
  return channels_last(
      4, {{"input_feature_channel", in}, {"output_feature_channel", out}, {"kernel_spatial_idx", kernel}});
}

SampleInput constant(const Shape& shape) {
  return {{}, ElementType::F32, make_splat(ElementType::F32, shape, 1), true, {}};
}

TEST(Axes, TurnedWeightsStayAPlace) {
  const Shape hwio{3, 3, 64, 128};
  auto slice = std::make_shared<SliceContent>(0, 0, 3 * 3 * 64 * 128 * 4);
  const SampleInput weights{{}, ElementType::F32, Constant{ElementType::F32, hwio, slice}, true, {}};
  const DecomposedConvolution conv("Conv", data({1, 9, 9, 64}), weights, ordered(2, 3, {0, 1}));
  EXPECT_EQ(conv.op(), "Convolution");
  EXPECT_EQ(conv.shape(), "1,7,7,128");
  ASSERT_TRUE(conv.weights().value);
  EXPECT_EQ(conv.weights().value->shape, (Shape{128, 64, 3, 3}));
  EXPECT_EQ(conv.weights().value->content->kind(), Content::Kind::Recipe);
}

TEST(Axes, WeightsOfEachOrder) {
  const auto conv = [](const SampleInput& weights, const Attributes& attributes, const char* op = "Conv") {
    const DecomposedConvolution made(op, data({1, 9, 9, 6}), weights, attributes);
    return cat(made.op(), " [", to_string(made.weights().shape), "] ", made.shape());
  };
  const Attributes hwio = ordered(2, 3, {0, 1}), hwim = ordered(2, 2, {0, 1}), hwoi = ordered(-1, -2, {0, 1});
  for (const bool known : {true, false}) {
    const auto make = [&](const Shape& shape) { return known ? constant(shape) : data(PartialShape(shape)); };
    EXPECT_EQ(conv(make({3, 2, 6, 4}), hwio), "Convolution [4,6,3,2] 1,7,8,4");
    EXPECT_EQ(conv(make({3, 2, 2, 9}), hwio), "GroupConvolution [3,3,2,3,2] 1,7,8,9");
    EXPECT_EQ(conv(make({3, 2, 6, 1}), hwim), "GroupConvolution [6,1,1,3,2] 1,7,8,6");
    EXPECT_EQ(conv(make({3, 2, 6, 2}), hwim), "GroupConvolution [6,2,1,3,2] 1,7,8,12");
    EXPECT_EQ(conv(make({3, 2, 4, 6}), hwoi, "Deconvolution"), "ConvolutionBackpropData [6,4,3,2] 1,11,10,4");
    EXPECT_EQ(conv(make({3, 2, 6, 2}), hwim, "Deconvolution"), "GroupConvolutionBackpropData [6,1,2,3,2] 1,11,10,12");
  }
}

TEST(Axes, WhatDoesNotFitIsRefused) {
  const auto conv = [](const PartialShape& weights, const Attributes& attributes) {
    DecomposedConvolution("Conv", data({1, 9, 9, 6}), data(weights), attributes);
  };
  EXPECT_CODE(Code::BadAttribute, conv({3, 2, 6, 4}, channels_last(4, {{"kernel_spatial_idx", Ints{0, 1}}})));
  EXPECT_CODE(Code::BadValue, conv({3, 2, 6, 4}, ordered(2, 4, {0, 1})));
  EXPECT_CODE(Code::BadValue, conv({3, 2, 6, 4}, ordered(2, 3, {0, 0})));
  EXPECT_CODE(Code::BadValue, conv({3, 2, 6, 4}, ordered(2, 2, {0, 0})));
  EXPECT_CODE(Code::ShapeMismatch, conv({3, 2, 6, 4}, ordered(2, 3, {0})));
  EXPECT_CODE(Code::ShapeMismatch, conv({3, 2, 4, 4}, ordered(2, 3, {0, 1})));
  EXPECT_CODE(Code::UnsupportedForm, conv({}, ordered(2, 3, {0, 1})));
  Attributes none = ordered(2, 3, {0, 1});
  none.set("group", int64_t{0});
  EXPECT_CODE(Code::BadAttribute, conv({3, 2, 6, 4}, none));
}

}  // namespace
}  // namespace mo::test

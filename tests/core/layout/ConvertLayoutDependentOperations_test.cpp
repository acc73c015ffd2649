#include "tests/core/layout/layout_conversion.h"

namespace mo::test {
namespace {

TEST(ConvertLayoutDependentOperations, InAModelOfNchwTransposesStandAroundTheOperation) {
  const Converted converted = convert_nhwc(layout_graph("pool_without_convolution"), nullptr, {}, DataLayout::Nchw);
  EXPECT_EQ(operations(converted),
            "Parameter x () 1,8,10,4\n"
            "Transpose pool/input_transpose (x) 1,4,8,10\n"
            "AvgPool pool (pool/input_transpose) 1,4,4,5\n"
            "Transpose pool/output_transpose (pool) 1,4,5,4\n"
            "ReLU relu (pool/output_transpose) 1,4,5,4\n");
}

TEST(ConvertLayoutDependentOperations, AxesInAnyOrderBecomeNchw) {
  EXPECT_EQ(operations(convert_nhwc(layout_graph("batch_last"))),
            "Parameter x () 8,10,3,2\n"
            "Transpose conv/input_transpose (x) 2,3,8,10\n"
            "Convolution conv (conv/input_transpose) 2,4,8,10\n"
            "Transpose conv/output_transpose (conv) 8,10,4,2\n");
  EXPECT_EQ(dims(convert_nhwc(layout_graph("convolution_1d")).layer("conv/input_transpose")), "1,3,10");
}

TEST(ConvertLayoutDependentOperations, WhatHasChannelsFirstIsLeft) {
  const Converted converted = convert_nhwc(layout_graph("channels_first_between"));
  EXPECT_FALSE(converted.layer("conv_nchw/input_transpose"));
  EXPECT_EQ(count(converted, "Transpose"), 1u) << "the model's own and the one of the change cancel";
}

TEST(ConvertLayoutDependentOperations, ARankThatIsNotKnownIsThatOfTheAxes) {
  const Converted converted = convert_nhwc([](NhwcGraph& g) {
    const OutPort x = g.input("x", {kAnyDimension, kAnyDimension, kAnyDimension, kAnyDimension, kAnyDimension});
    g.result(g.conv("conv", g.op("Squeeze", "squeeze", {x}), {4, 3, 3, 3}), "y");
  });
  EXPECT_EQ(dims(converted.layer("conv/output_transpose")), "-1,-1,-1,4");
}

TEST(ConvertLayoutDependentOperations, AnInputWithoutARankHasThatOfItsConvolution) {
  const Converted converted = convert_nhwc(layout_graph("any_rank"));
  EXPECT_EQ(dims(converted.layer("x")), "-1,-1,-1,3");
  EXPECT_FALSE(converted.layer("conv/output_transpose"));
}

TEST(ConvertLayoutDependentOperations, WeightsOfAnyRankAreNoReasonForOtherTransposes) {
  const Converted converted = convert_nhwc([](NhwcGraph& g) {
    const OutPort x = g.input("x", {1, 8, 10, 3}), w = g.input("w", PartialShape(), {4, 3, 3, 3});
    g.result(g.op("Convolution", "conv", {x, w},
                  {{"batch_dims", Ints{0}}, {"channel_dims", Ints{3}}, {"spatial_dims", Ints{1, 2}}}),
             "y");
  });
  EXPECT_EQ(operations(converted),
            "Parameter x () 1,8,10,3\n"
            "Parameter w () \n"
            "Transpose x/Transpose([0 3 1 2]) (x) 1,3,8,10\n"
            "Convolution conv/prev (x/Transpose([0 3 1 2]), w) 1,-1,-1,-1\n"
            "Transpose conv (conv/prev) 1,-1,-1,-1\n");
}

TEST(ConvertLayoutDependentOperations, AxesThatAreNotEachNamedOnceAreAnError) {
  const Converted converted = convert_nhwc([](NhwcGraph& g) {
    const OutPort x = g.input("x", {1, 8, 10, 3}), w = g.weights({4, 3, 3, 3});
    g.result(g.op("Convolution", "conv", {x, w},
                  {{"batch_dims", Ints{0}}, {"channel_dims", Ints{3}}, {"spatial_dims", Ints{1, 1}}}),
             "y");
  });
  EXPECT_EQ(converted.code(), code_text(Code::BadAttribute));
}

}  // namespace
}  // namespace mo::test

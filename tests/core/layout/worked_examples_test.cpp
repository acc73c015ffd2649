// The IR of the worked examples, and of a plain network. Unlike Model Optimizer, one Transpose serves all readers of a
// tensor, a reduction that drops spatial axes is permuted itself, and only the elements of a shape that are read are
// gathered.
#include "tests/core/layout/layout_conversion.h"

namespace mo::test {
namespace {

std::string ir_of(const char* graph) { return operations(convert_nhwc(layout_graph(graph))); }

const std::string kHead =
    "Parameter x () 1,8,10,3\n"
    "Transpose x/Transpose([0 3 1 2]) (x) 1,3,8,10\n";
const std::string kHeadOfAnyBatch =
    "Parameter x () -1,8,10,3\n"
    "Transpose x/Transpose([0 3 1 2]) (x) -1,3,8,10\n";
const std::string kConv = "Convolution conv (x/Transpose([0 3 1 2])) 1,4,8,10\n";
const std::string kConvOfAnyBatch = "Convolution conv (x/Transpose([0 3 1 2])) -1,4,8,10\n";

TEST(WorkedExamples, ConvolutionBiasRelu) {
  EXPECT_EQ(ir_of("worked_1_conv_bias_relu"), kHead + kConv +
                                                  "Add biasadd/Add (conv) 1,4,8,10\n"
                                                  "ReLU relu/prev (biasadd/Add) 1,4,8,10\n"
                                                  "Transpose relu (relu/prev) 1,8,10,4\n");
}

TEST(WorkedExamples, ConvolutionMeanMatMul) {
  EXPECT_EQ(ir_of("worked_2_conv_mean_matmul"), kHead + kConv +
                                                    "ReduceMean mean (conv) 1,4\n"
                                                    "MatMul fc (mean) 1,5\n");
}

TEST(WorkedExamples, ConvolutionReshapeMatMul) {
  EXPECT_EQ(ir_of("worked_3_conv_reshape_matmul"), kHead + kConv +
                                                       "Transpose conv/Transpose (conv) 1,8,10,4\n"
                                                       "Reshape flat (conv/Transpose) 1,320\n"
                                                       "MatMul fc (flat) 1,5\n");
}

TEST(WorkedExamples, Concat) {
  const Converted converted = convert_nhwc(layout_graph("worked_4_concat"));
  EXPECT_EQ(count(converted, "Transpose"), 2u);
  EXPECT_EQ(text_of(converted.layer("cat/prev").child("data"), "axis"), "1");
  EXPECT_EQ(dims(converted.layer("cat/prev")), "1,9,8,10");
  EXPECT_EQ(dims(converted.layer("cat")), "1,8,10,9");
}

TEST(WorkedExamples, StridedSliceWithShrink) {
  EXPECT_EQ(ir_of("worked_5_strided_slice_shrink"), kHead + kConv +
                                                        "Transpose conv/Transpose (conv) 1,8,10,4\n"
                                                        "StridedSlice strided_slice (conv/Transpose) 1,4,10\n");
}

TEST(WorkedExamples, ShapePackReshape) {
  const Converted converted = convert_nhwc(layout_graph("worked_6_shape_pack_reshape"));
  EXPECT_EQ(count(converted, "Transpose"), 2u);
  EXPECT_EQ(text_of(converted.source(converted.layer("resh"), 0), "name"), "conv/Transpose");
  EXPECT_EQ(dims(converted.layer("fc")), "-1,5");
}

TEST(WorkedExamples, ShapePackReshapeConvolution) {
  EXPECT_EQ(ir_of("worked_6c_shape_pack_reshape_conv"), kHeadOfAnyBatch + kConvOfAnyBatch +
                                                            "ShapeOf n/shape (conv) 4\n"
                                                            "Gather n (n/shape) 1\n"
                                                            "Concat pack (n) 4\n"
                                                            "Transpose conv/Transpose (conv) -1,8,10,4\n"
                                                            "Reshape resh (conv/Transpose, pack) -1,4,20,4\n"
                                                            "Transpose resh/Transpose (resh) -1,4,4,20\n"
                                                            "Convolution conv2/prev (resh/Transpose) -1,2,4,20\n"
                                                            "Transpose conv2 (conv2/prev) -1,4,20,2\n");
}

TEST(WorkedExamples, DepthwiseResize) {
  const Converted converted = convert_nhwc(layout_graph("worked_7_depthwise_resize"));
  EXPECT_EQ(count(converted, "Transpose"), 2u);
  EXPECT_EQ(dims(converted.layer("resize/prev")), "-1,3,16,20");
  EXPECT_EQ(text_of(converted.source(converted.layer("hw"), 0), "type"), "ShapeOf");
}

TEST(WorkedExamples, TransposedConvolution) {
  const Converted converted = convert_nhwc(layout_graph("worked_8_deconvolution"));
  EXPECT_EQ(count(converted, "Transpose"), 2u);
  EXPECT_EQ(dims(converted.layer("deconv/prev")), "-1,5,16,20");
}

TEST(WorkedExamples, InAPlainNetworkATransposeStandsOnlyAtItsEnds) {
  for (const char* graph : {"cnn", "residual", "squeeze_and_excite", "batch_normalisation", "group_convolution"}) {
    const Converted converted = convert_nhwc(layout_graph(graph));
    EXPECT_EQ(count(converted, "Transpose"), 2u) << graph;
    for (const pugi::xml_node transpose : converted.layers("Transpose")) {
      const bool first = text_of(converted.source(transpose, 0), "type") == "Parameter";
      bool last = false;
      for (const pugi::xml_node result : converted.layers("Result")) last |= converted.source(result, 0) == transpose;
      EXPECT_TRUE(first || last) << graph << ": " << text_of(transpose, "name");
    }
  }
}

}  // namespace
}  // namespace mo::test

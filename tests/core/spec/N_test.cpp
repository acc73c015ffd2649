// NHWC to NCHW.
#include <algorithm>

#include "tests/core/layout/layout_conversion.h"

namespace mo::test {
namespace {

TEST(Spec, N_01_AndN_06_AConvolutionOfNhwcBecomesNchw) {
  const Converted converted = convert_nhwc([](NhwcGraph& g) {
    g.result(g.conv("conv", g.input("x", {1, 224, 300, 3}), {4, 3, 3, 3}), "y");
  });
  EXPECT_EQ(dims(converted.source(converted.layer("conv/prev"), 0)), "1,3,224,300");
}

TEST(Spec, N_03_TheChangeIsOffWhereNothingNeedsIt) {
  const Converted converted = convert_nhwc(layout_graph("matmul_only"));
  EXPECT_EQ(operations(converted), "Parameter x () 2,3,4,5\nMatMul dense (x) 2,3,4,6\nAdd add (dense) 2,3,4,6\n");
}

TEST(Spec, N_07_FiveDimensions) {
  const Converted converted = convert_nhwc([](NhwcGraph& g) {
    g.result(g.conv("conv", g.input("x", {1, 8, 224, 300, 3}), {4, 3, 1, 1, 1}), "y");
  });
  EXPECT_EQ(dims(converted.source(converted.layer("conv/prev"), 0)), "1,3,8,224,300");
}

TEST(Spec, N_08_SubGraphsBetweenProductsKeepTheirLayout) {
  EXPECT_EQ(dims(convert_nhwc(layout_graph("matmul_on_channels")).layer("gelu")), "1,8,10,6");
}

TEST(Spec, N_09_AGatherFollowsShapeOf) {
  // It is one with the Gather of height and width, which are found behind the channels.
  const Converted converted = convert_nhwc(layout_graph("worked_7_depthwise_resize"));
  EXPECT_EQ(text_of(converted.layer("hw"), "type"), "Gather");
  EXPECT_EQ(text_of(converted.source(converted.layer("hw"), 0), "type"), "ShapeOf");
  EXPECT_EQ(dims(converted.layer("resize/prev")), "-1,3,16,20");
}

TEST(Spec, N_10_ATransposePrecedesReshape) {
  const Converted converted = convert_nhwc(layout_graph("worked_3_conv_reshape_matmul"));
  const pugi::xml_node transpose = converted.source(converted.layer("flat"), 0);
  EXPECT_EQ(text_of(transpose, "type"), "Transpose");
  EXPECT_EQ(dims(converted.source(transpose, 0)), "1,4,8,10");
  EXPECT_EQ(dims(transpose), "1,8,10,4");
}

TEST(Spec, N_11_AndA_29_TheTransformationsCanBeNamedAndTraced) {
  const std::vector<std::string> trace = convert_nhwc(layout_graph("cnn")).trace;
  for (const char* name : {"MarkSubGraphsWithCorrectLayout", "InsertLayoutPropagationTranspose",
                           "LayoutChangeForConstantShapePaths", "ApplyNHWCtoNCHWpermutation", "ApplyPermutation"}) {
    const std::string step = cat("layout:", name);
    EXPECT_NE(std::find(trace.begin(), trace.end(), step), trace.end()) << name;
    const Converted without = convert_nhwc(layout_graph("cnn"), nullptr, {{"disabled_transforms", name}});
    EXPECT_EQ(std::count(without.trace.begin(), without.trace.end(), step), 0) << name;
  }
  // Names as in the documentation.
  for (const auto& [spelled, name] :
       {std::pair("ApplyPermutations", "ApplyPermutation"),
        std::pair("InsertLayoutPropagationTransposes", "InsertLayoutPropagationTranspose"),
        std::pair("MarkSubgraphsWithCorrectLayout", "MarkSubGraphsWithCorrectLayout")}) {
    const Converted without = convert_nhwc(layout_graph("cnn"), nullptr, {{"disabled_transforms", spelled}});
    EXPECT_EQ(std::count(without.trace.begin(), without.trace.end(), cat("layout:", name)), 0) << spelled;
  }
}

TEST(Spec, N_13_AndB_01_TheBackPhaseSeesNchwFromItsStart) {
  const auto behind_start = [](const Converted& converted) {
    std::vector<std::string> names;
    for (const std::string& step : converted.trace)
      if (step.starts_with("back:") && step != "back:BackStart") names.push_back(step.substr(5));
    return names;
  };
  Extensions extensions;
  std::string seen;
  add_transform(extensions, "Mine", Phase::Back, [&](Graph& graph) {
    seen = to_string(graph.nodes("ReLU").at(0)->out().tensor().shape);
  }).before = behind_start(convert_nhwc(layout_graph("worked_1_conv_bias_relu")));
  const Converted converted = convert_nhwc(layout_graph("worked_1_conv_bias_relu"), &extensions);
  ASSERT_TRUE(converted.ok()) << converted.message().text;
  EXPECT_EQ(behind_start(converted).at(0), "Mine");
  EXPECT_EQ(seen, "1,4,8,10");
}

TEST(Spec, I_19_AndM_06_InferenceAndTheMiddlePhaseSeeTheModelsLayout) {
  Extensions extensions;
  std::string seen;
  add_transform(extensions, "Mine", Phase::Middle, [&](Graph& graph) {
    seen = to_string(graph.nodes("Convolution").at(0)->out().tensor().shape);
    EXPECT_EQ(graph.model().layout, DataLayout::Nhwc);
  });
  ASSERT_TRUE(convert_nhwc(layout_graph("worked_1_conv_bias_relu"), &extensions).ok());
  EXPECT_EQ(seen, "1,8,10,4");
}

}  // namespace
}  // namespace mo::test

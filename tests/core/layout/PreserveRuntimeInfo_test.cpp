#include "tests/core/layout/layout_conversion.h"

namespace mo::test {
namespace {

TEST(PreserveRuntimeInfo, InputsAndOutputsStayInNhwc) {
  const Converted converted = convert_nhwc(layout_graph("convolution_3d"));
  EXPECT_EQ(dims(converted.layer("x")), "1,4,5,6,2");
  EXPECT_EQ(dims(converted.layer("x/Transpose([0 4 1 2 3])")), "1,2,4,5,6");
  EXPECT_EQ(dims(converted.layer("cat/prev")), "1,4,4,5,6");
  EXPECT_EQ(dims(converted.layer("cat")), "1,4,5,6,4");
}

TEST(PreserveRuntimeInfo, AnOutputOfSeveralResultsHasOneTranspose) {
  const Converted converted = convert_nhwc(layout_graph("several_results"));
  EXPECT_EQ(count(converted, "Transpose"), 2u);
  EXPECT_STREQ(converted.layer("relu").child("output").child("port").attribute("names").value(), "y1,y3");
}

TEST(PreserveRuntimeInfo, WhatReadsAnInputInItsLayoutReadsIt) {
  const Converted converted = convert_nhwc(layout_graph("input_used_twice"));
  EXPECT_EQ(text_of(converted.source(converted.layer("resh"), 0), "name"), "x");
  EXPECT_EQ(text_of(converted.source(converted.layer("y2:0"), 0), "name"), "x");
  EXPECT_EQ(count(converted, "Transpose"), 2u);
}

TEST(PreserveRuntimeInfo, ModelsWithoutNhwcHaveNone) {
  const Converted converted = convert_nhwc(layout_graph("matmul_only"), nullptr, {}, DataLayout::Nchw);
  EXPECT_EQ(count(converted, "Transpose"), 0u);
  for (const std::string& step : converted.trace) EXPECT_NE(step, "layout:PreserveRuntimeInfo");
}

}  // namespace
}  // namespace mo::test

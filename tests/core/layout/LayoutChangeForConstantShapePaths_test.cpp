#include "tests/core/layout/layout_conversion.h"

namespace mo::test {
namespace {

TEST(LayoutChangeForConstantShapePaths, AGatherFollowsShapeOf) {
  const Converted converted = convert_nhwc(layout_graph("shape_as_output"));
  const pugi::xml_node gather = converted.layer("shape/GatherNCHWtoNHWC");
  EXPECT_STREQ(gather.attribute("type").value(), "Gather");
  EXPECT_EQ(text_of(converted.source(gather, 0), "name"), "shape");
  EXPECT_STREQ(gather.child("output").child("port").attribute("names").value(), "y")
      << "the framework's tensor is the one in its layout";
}

TEST(LayoutChangeForConstantShapePaths, ShapesOfWhatStaysHaveNone) {
  const Converted converted = convert_nhwc(layout_graph("shape_of_input"));
  EXPECT_TRUE(converted.ok());
  EXPECT_FALSE(converted.layer("batch/shape/GatherNCHWtoNHWC"));
}

TEST(LayoutChangeForConstantShapePaths, ShapesThatAreReadInNchwAreInThatOrder) {
  const Converted converted = convert_nhwc(layout_graph("shape_to_pad"));
  const pugi::xml_node pad = converted.layer("pad/prev");
  ASSERT_TRUE(pad);
  const pugi::xml_node before = converted.source(pad, 1);
  EXPECT_EQ(text_of(before, "type"), "Concat") << "GatherOfJoined joins what a Gather would put into another order";
  EXPECT_EQ(text_of(converted.source(before, 2), "type"), "Const");
  EXPECT_NE(text_of(converted.source(before, 3), "type"), "Const") << "the columns are last";
}

}  // namespace
}  // namespace mo::test

#include "tests/core/layout/layout_conversion.h"

namespace mo::test {
namespace {

TEST(InsertLayoutPropagationTranspose, OneStandsForAllReaders) {
  const Converted converted = convert_nhwc([](NhwcGraph& g) {
    const OutPort conv = conv_of(g);
    for (const std::string name : {"a", "b", "c"})
      g.result(g.op("Reshape", name, {conv, g.i64({8, 40})}, {{"special_zero", false}}), name);
  });
  EXPECT_EQ(operations(converted),
            "Parameter x () 1,8,10,3\n"
            "Transpose x/Transpose([0 3 1 2]) (x) 1,3,8,10\n"
            "Convolution conv (x/Transpose([0 3 1 2])) 1,4,8,10\n"
            "Transpose conv/Transpose (conv) 1,8,10,4\n"
            "Reshape a (conv/Transpose) 8,40\n"
            "Reshape b (conv/Transpose) 8,40\n"
            "Reshape c (conv/Transpose) 8,40\n");
}

/// A tensor of that name has the framework's layout everywhere.
TEST(InsertLayoutPropagationTranspose, NamesGoToTheTensorOfTheFrameworksLayout) {
  const Converted converted = convert_nhwc([](NhwcGraph& g) {
    const OutPort conv = conv_of(g);
    conv.tensor().names = {"conv:0"};
    g.result(g.op("Reshape", "flat", {conv, g.i64({8, 40})}, {{"special_zero", false}}), "y");
  });
  EXPECT_STREQ(converted.layer("conv/Transpose").child("output").child("port").attribute("names").value(), "conv:0");
  EXPECT_TRUE(converted.layer("conv").child("output").child("port").attribute("names").empty());
}

TEST(InsertLayoutPropagationTranspose, WeightsThatWereTurnedAreTurnedBack) {
  const Converted converted = convert_nhwc([](NhwcGraph& g) {
    const OutPort x = g.input("x", {1, 8, 10, 3}), w = g.conv("weights", x, {3, 3, 1, 1});
    const OutPort y = g.input("y", {1, 9, 12, 8});
    g.result(g.op("Convolution", "conv", {y, w}, channels_last(4, {{"strides", Ints{1, 1}}, {"auto_pad", "valid"}})),
             "z");
  });
  ASSERT_FALSE(converted.ok()) << "the weights are [1, 8, 10, 3] as the model says, not [1, 3, 8, 10]";
  EXPECT_EQ(converted.code(), code_text(Code::ShapeMismatch)) << converted.message().text;
}

TEST(InsertLayoutPropagationTranspose, BodiesHaveTheirsInside) {
  Extensions extensions;
  const Converted converted = convert_nhwc(layout_graph("loop"), &extensions);
  const pugi::xml_node body = converted.layer("loop").child("body").child("layers");
  std::string types;
  for (const pugi::xml_node layer : body)
    if (text_of(layer, "type") == "Transpose") types += text_of(layer, "name") + ";";
  EXPECT_EQ(types, "state/Transpose;add/Transpose;");
}

}  // namespace
}  // namespace mo::test

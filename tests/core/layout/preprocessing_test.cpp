// Preprocessing of models whose framework has channels last.
#include <gtest/gtest.h>

#include "tests/core/layout/layout_conversion.h"

namespace mo::test {
namespace {

void image_model(NhwcGraph& g) { g.result(conv_of(g), "y"); }

Converted preprocessed_image(const std::vector<OptionText>& options) {
  return convert_nhwc(image_model, nullptr, options);
}

TEST(PreprocessingInNhwc, AnInputInNchwNeedsNoTranspose) {
  const Converted converted = preprocessed_image({{"layout", "x(nhwc->nchw)"}});
  EXPECT_EQ(dims(converted.layer("x")), "1,3,8,10");
  EXPECT_EQ(text_of(converted.source(converted.layers("Convolution")[0], 0), "type"), "Parameter")
      << operations(converted);
  EXPECT_EQ(count(converted, "Transpose"), 1u);  // at the output
  EXPECT_EQ(count(preprocessed_image({{"layout", "x(nhwc->nchw),y(nhwc->nchw)"}}), "Transpose"), 0u);
}

TEST(PreprocessingInNhwc, IsFusedIntoTheConvolution) {
  const Converted converted = preprocessed_image(
      {{"layout", "x(nhwc->nchw)"}, {"scale_values", "x(2,4,8)"}, {"reverse_input_channels", "True"}});
  EXPECT_EQ(text_of(converted.source(converted.layers("Convolution")[0], 0), "type"), "Parameter")
      << operations(converted);
  EXPECT_EQ(count(converted, "Gather") + count(converted, "Multiply"), 0u);
}

TEST(PreprocessingInNhwc, MeanStaysBeforePaddingWithoutATranspose) {
  const Converted converted = preprocessed_image({{"layout", "x(nhwc->nchw)"}, {"mean_values", "x(1,2,3)"}});
  const pugi::xml_node sum = converted.source(converted.layers("Convolution")[0], 0);
  EXPECT_EQ(text_of(sum, "type"), "Add") << operations(converted);
  EXPECT_EQ(dims(sum), "1,3,8,10");
  EXPECT_EQ(dims(converted.source(sum, 1)), "1,3,1,1");
  EXPECT_EQ(text_of(converted.source(sum, 0), "type"), "Parameter");
}

TEST(PreprocessingInNhwc, ChannelsAreTheLastAxis) {
  const Converted converted = convert_nhwc(
      [](NhwcGraph& g) {
        g.result(g.op("Abs", "abs", {g.input("x", {1, 8, 10, 3})}), "y");
      },
      nullptr, {{"mean_values", "(1,2,3)"}, {"reverse_input_channels", "True"}});
  EXPECT_EQ(dims(converted.source(converted.layer("x/Add"), 1)), "1,1,1,3") << operations(converted);
}

}  // namespace
}  // namespace mo::test

// What ONNX's random operators mean, in the attributes of IR: no number of a single run shows it.
#include <gtest/gtest.h>

#include "tests/core/support/converted.h"

namespace mo::test {
namespace {

TEST(DecomposeRandom, MultinomialDrawsWithReplacementFromLogarithms) {
  OnnxGraph model;
  model.input("x", "2,6").node("Multinomial", {"x"}, {"y"}, {onnx_attribute("sample_size", 4)}, "draw").output("y");
  const Converted converted = convert_model(model);
  const auto layers = converted.layers("Multinomial");
  ASSERT_EQ(layers.size(), 1u) << converted.message().text;
  const auto data = layers[0].child("data");
  EXPECT_EQ(text_of(data, "with_replacement"), "true");
  EXPECT_EQ(text_of(data, "log_probs"), "true");
  EXPECT_EQ(text_of(data, "convert_type"), "i32");
  EXPECT_EQ(dims(layers[0]), "2,4");
}

}  // namespace
}  // namespace mo::test

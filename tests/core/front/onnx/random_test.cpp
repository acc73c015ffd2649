// The attributes of IR that say what ONNX's random operators draw: the numbers of a single run do not show it.
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

TEST(DecomposeRandom, SeedsOfAllKindsBecomeSmallNumbers) {
  for (const auto& [seed, want] : {std::pair(int64_t{3}, "3000"), {-2, "2000"}, {1000000000000, "1000000000"}})
    for (const char* op : {"Multinomial", "RandomUniformLike"}) {
      OnnxGraph model;
      std::vector<std::string> attributes = {onnx_attribute("seed", seed)};
      if (op[0] == 'M') attributes.push_back(onnx_attribute("sample_size", 4));
      model.input("x", "2,6").node(op, {"x"}, {"y"}, attributes, "draw").output("y");
      const Converted converted = convert_model(model);
      const auto layers = converted.layers(op[0] == 'M' ? "Multinomial" : "RandomUniform");
      ASSERT_EQ(layers.size(), 1u) << op;
      EXPECT_EQ(text_of(layers[0].child("data"), "op_seed"), want) << op;
      EXPECT_EQ(text_of(layers[0].child("data"), "global_seed"), "1") << op;
    }
}

}  // namespace
}  // namespace mo::test

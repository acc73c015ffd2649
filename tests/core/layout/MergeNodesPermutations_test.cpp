#include "tests/core/layout/layout_conversion.h"

namespace mo::test {
namespace {

std::string code_without(const char* pass, const char* graph) {
  return convert_nhwc(layout_graph(graph), nullptr, {{"disabled_transforms", pass}}).code();
}

TEST(MergeNodesPermutations, ATensorThatIsWantedInTwoLayoutsIsAnError) {
  const Converted converted = convert_nhwc(layout_graph("worked_3_conv_reshape_matmul"), nullptr,
                                           {{"disabled_transforms", "InsertLayoutPropagationTranspose"}});
  EXPECT_EQ(converted.code(), code_text(Code::LayoutMismatch));
  EXPECT_EQ(converted.message().node, "flat");
}

TEST(MergeNodesPermutations, AModelThatIsLeftInNhwcIsAnError) {
  EXPECT_EQ(code_without("ApplyPermutation", "cnn"), code_text(Code::LayoutMismatch));
}

TEST(MergeNodesPermutations, WhatAgreesPasses) { EXPECT_EQ(code_without("LayoutChangeForEinsum", "cnn"), ""); }

}  // namespace
}  // namespace mo::test

#include "tests/core/layout/layout_conversion.h"

namespace mo::test {
namespace {

/// The marks of these nodes' outputs after the pass: C for Correct, f for Free.
std::string marks(const char* graph, const std::vector<std::string>& nodes) {
  std::string out;
  look_after("MarkSubGraphsWithCorrectLayout", layout_graph(graph), [&](Graph& g) {
    for (const std::string& node : nodes) out += tensor_of(g, node).layout == LayoutMark::Correct ? 'C' : 'f';
  });
  return out;
}

TEST(MarkSubGraphsWithCorrectLayout, WhatIsNextToAConvolutionIsTurned) {
  EXPECT_EQ(marks("residual", {"stem", "a/conv", "a/bias", "a/add", "c/relu", "pool"}), "ffffff");
}

TEST(MarkSubGraphsWithCorrectLayout, WhatHasNothingSpatialAroundStays) {
  EXPECT_EQ(marks("matmul_only", {"dense", "add"}), "CC");
  EXPECT_EQ(marks("no_convolution", {"x", "mul", "turn"}), "CCC");
}

TEST(MarkSubGraphsWithCorrectLayout, N_08_WhatLiesBetweenProductsStays) {
  EXPECT_EQ(marks("matmul_on_channels", {"conv", "wide", "gelu", "narrow", "sum"}), "fCCCf");
}

TEST(MarkSubGraphsWithCorrectLayout, N_08_AReshapeToComputedSizesStays) {
  EXPECT_EQ(marks("shape_to_reshape", {"conv", "resh"}), "fC");
  const Converted converted = convert_nhwc(layout_graph("shape_to_reshape"));
  EXPECT_EQ(dims(converted.layer("resh")), "-1,4,-1") << "the channels are still behind the batch";
  EXPECT_EQ(dims(converted.source(converted.layer("resh"), 0)), "-1,-1,-1,4");
}

TEST(MarkSubGraphsWithCorrectLayout, TheWayWithFewerTransposesIsTaken) {
  EXPECT_EQ(marks("matmul_chain", {"stem", "a/relu", "a/add", "b/add", "c/add", "head"}), "fCCCCf");
}

TEST(MarkSubGraphsWithCorrectLayout, AConstantIsAsItsReadersWantIt) {
  look_after("MarkSubGraphsWithCorrectLayout", layout_graph("shared_constant"), [](Graph& g) {
    EXPECT_EQ(g.find("add")->source(1).tensor().layout, LayoutMark::Correct) << "MatMul reads it, too";
  });
  look_after("MarkSubGraphsWithCorrectLayout", layout_graph("concat_with_constant"), [](Graph& g) {
    EXPECT_EQ(g.find("cat")->source(0).tensor().layout, LayoutMark::Free);
    EXPECT_EQ(g.find("conv")->source(1).tensor().layout, LayoutMark::Correct) << "weights";
  });
}

TEST(MarkSubGraphsWithCorrectLayout, ARankThatIsNotKnownStays) { EXPECT_EQ(marks("any_rank", {"sigmoid"}), "f"); }

}  // namespace
}  // namespace mo::test

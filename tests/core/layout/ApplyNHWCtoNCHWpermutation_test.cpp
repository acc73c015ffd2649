#include "tests/core/layout/layout_conversion.h"

namespace mo::test {
namespace {

TEST(ApplyNHWCtoNCHWpermutation, MarksWhatIsMadeInNchw) {
  look_after("ApplyNHWCtoNCHWpermutation", layout_graph("worked_3_conv_reshape_matmul"), [](Graph& g) {
    EXPECT_EQ(tensor_of(g, "conv").layout, LayoutMark::Permuted);
    EXPECT_EQ(tensor_of(g, "conv/Transpose").layout, LayoutMark::Correct);
    EXPECT_EQ(tensor_of(g, "x").layout, LayoutMark::Correct);
    EXPECT_EQ(tensor_of(g, "fc").layout, LayoutMark::Free);
  });
}

TEST(ApplyNHWCtoNCHWpermutation, ThreeDimensionsAreNeverTurned) {
  look_after("ApplyNHWCtoNCHWpermutation", layout_graph("rank_3_untouched"),
             [](Graph& g) { EXPECT_EQ(tensor_of(g, "add3").layout, LayoutMark::Free); });
}

}  // namespace
}  // namespace mo::test

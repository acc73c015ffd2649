#include "core/layout/layout_state.h"
#include "tests/core/layout/layout_conversion.h"
#include "tests/core/ops/samples.h"

namespace mo::test {
namespace {

std::string in_nchw(const std::string& equation, const std::vector<SampleInput>& inputs) {
  SampleNode made({"Einsum", inputs, {{"equation", equation}}});
  infer_node(made.node());
  return equation_in_nchw(made.node()).value_or("none");
}

TEST(LayoutChangeForEinsum, TheLastLabelMovesBehindTheFirst) {
  EXPECT_EQ(in_nchw("nhwc,cd->nhwd", {data({1, 8, 10, 4}), data({4, 5})}), "nchw,cd->ndhw");
  EXPECT_EQ(in_nchw("bqhd, bkhd -> bhqk", {data({1, 2, 3, 4}), data({1, 5, 3, 4})}), "bdqh,bdkh->bkhq");
  EXPECT_EQ(in_nchw("ndhwc->nc", {data({1, 2, 3, 4, 5})}), "ncdhw->nc");
}

TEST(LayoutChangeForEinsum, AnEllipsisMayStandInTheMiddleOrForOneAxis) {
  EXPECT_EQ(in_nchw("n...c,cd->n...d", {data({1, 8, 10, 4}), data({4, 5})}), "nc...,cd->nd...");
  EXPECT_EQ(in_nchw("...hwc->...chw", {data({1, 8, 10, 4})}), "...chw->...wch");
}

TEST(LayoutChangeForEinsum, OthersAreComputedInTheFrameworksLayout) {
  EXPECT_EQ(in_nchw("...c,cd->...d", {data({1, 8, 10, 4}), data({4, 5})}), "none");
  EXPECT_EQ(in_nchw("nc...->nc...", {data({1, 8, 10, 4})}), "none");
  EXPECT_EQ(in_nchw("nhwc,cd", {data({1, 8, 10, 4}), data({4, 5})}), "none") << "the result is not named";
  EXPECT_EQ(in_nchw("nhwc->nhwc", {data(PartialShape())}), "none") << "the rank is not known";
}

TEST(LayoutChangeForEinsum, TheIrHasTheEquation) {
  const Converted converted = convert_nhwc(layout_graph("einsum_channels"));
  EXPECT_STREQ(converted.layer("einsum").child("data").attribute("equation").value(), "nchw,cd->ndhw");
  EXPECT_EQ(count(converted, "Transpose"), 2u);
  const Converted kept = convert_nhwc(layout_graph("einsum_ellipsis"));
  EXPECT_STREQ(kept.layer("einsum").child("data").attribute("equation").value(), "ab...,bd->a...d");
}

}  // namespace
}  // namespace mo::test

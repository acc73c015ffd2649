#include "core/layout/settle_layout.h"

#include <gtest/gtest.h>

#include "core/graph/body.h"
#include "tests/core/support/test_graph.h"

namespace mo::test {
namespace {

/// A graph whose loader has channels last.
struct LastGraph : TestGraph {
  LastGraph() { graph.model().layout = DataLayout::Nhwc; }

  void add_spatial(Graph& to, const char* op, int64_t channel, const Ints& spatial) {
    Node& node = to.add_node(op, op);
    node.set("batch_dims", Ints{0});
    node.set("channel_dims", Ints{channel});
    node.set("spatial_dims", spatial);
  }
  DataLayout settled(bool is_cut = false) {
    settle_layout(graph, is_cut);
    return graph.model().layout;
  }
};

TEST(SettleLayout, AConvolutionWithChannelsLastKeepsTheFrameworksLayout) {
  for (const char* op : {"Conv", "Deconvolution", "FusedConv", "LiteDeconvolution", "ConvInteger"}) {
    LastGraph g;
    g.add_spatial(g.graph, op, 3, {1, 2});
    EXPECT_EQ(g.settled(), DataLayout::Nhwc) << op;
  }
  LastGraph volume;
  volume.add_spatial(volume.graph, "Conv", -1, {1, 2, 3});
  EXPECT_EQ(volume.settled(), DataLayout::Nhwc);
}

TEST(SettleLayout, AnyOtherModelIsInNchw) {
  EXPECT_EQ(LastGraph().settled(), DataLayout::Nchw);
  LastGraph first, pooling, line;
  first.add_spatial(first.graph, "Conv", 1, {2, 3});
  EXPECT_EQ(first.settled(), DataLayout::Nchw) << "its channels are first";
  pooling.add_spatial(pooling.graph, "Pooling", 3, {1, 2});
  EXPECT_EQ(pooling.settled(), DataLayout::Nchw) << "it has no weights";
  line.add_spatial(line.graph, "Conv", 2, {1});
  EXPECT_EQ(line.settled(), DataLayout::Nchw) << "tensors of three dimensions do not move";
}

TEST(SettleLayout, OfWhatACutHasLeftAnySpatialOperationIsEnough) {
  LastGraph pooling, first;
  pooling.add_spatial(pooling.graph, "Pooling", 3, {1, 2});
  EXPECT_EQ(pooling.settled(true), DataLayout::Nhwc);
  first.add_spatial(first.graph, "Pooling", 1, {2, 3});
  EXPECT_EQ(first.settled(true), DataLayout::Nchw);
  EXPECT_EQ(LastGraph().settled(true), DataLayout::Nchw);
}

TEST(SettleLayout, BodiesCount) {
  LastGraph g;
  Node& loop = g.add("Loop", "loop");
  const auto body = std::make_shared<Graph>(g.graph.shared_model(), &loop);
  loop.set("body", body);
  g.add_spatial(*body, "Conv", 3, {1, 2});
  EXPECT_EQ(g.settled(), DataLayout::Nhwc);
}

TEST(SettleLayout, AModelOfNchwStaysOne) {
  LastGraph g;
  g.graph.model().layout = DataLayout::Nchw;
  g.add_spatial(g.graph, "Conv", 3, {1, 2});
  EXPECT_EQ(g.settled(), DataLayout::Nchw);
}

}  // namespace
}  // namespace mo::test

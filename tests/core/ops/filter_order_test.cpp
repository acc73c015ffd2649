// Axes of filters by name.
#include "core/ops/filter_order.h"

#include <gtest/gtest.h>

#include "tests/core/support/test_graph.h"

namespace mo::test {
namespace {

TEST(FilterOrder, TurnsEachFormatsFilters) {
  EXPECT_EQ(FilterOrder("OI*", 2).to_ir(false), (Ints{0, 1, 2, 3}));
  EXPECT_EQ(FilterOrder("*IO", 2).to_ir(false), (Ints{3, 2, 0, 1}));
  EXPECT_EQ(FilterOrder("O*I", 2).to_ir(false), (Ints{0, 3, 1, 2}));
  EXPECT_EQ(FilterOrder("I*O", 2).to_ir(false), (Ints{3, 0, 1, 2}));
  EXPECT_EQ(FilterOrder("*IO", 3).to_ir(false), (Ints{4, 3, 0, 1, 2}));
  EXPECT_EQ(FilterOrder("*IO", 1).to_ir(false), (Ints{2, 1, 0}));
  EXPECT_EQ(FilterOrder("*GO", 2).to_ir(false), (Ints{2, 3, 0, 1}));
  EXPECT_EQ(FilterOrder("*OI", 2).to_ir(true), (Ints{3, 2, 0, 1}));
  EXPECT_EQ(FilterOrder("IO*", 2).to_ir(true), (Ints{0, 1, 2, 3}));
  EXPECT_EQ(FilterOrder("O*I", 2).to_ir(true), (Ints{3, 0, 1, 2}));
  EXPECT_CODE(Code::UnsupportedForm, FilterOrder("OI*", 0));
  EXPECT_CODE(Code::UnsupportedForm, FilterOrder("OI*", 4));
}

TEST(FilterOrder, IsReadFromTheAttributesThatItSets) {
  for (const char* axes : {"OI*", "IO*", "*IO", "*OI", "O*I", "I*O", "*GO", "G*O"})
    for (const size_t spatial : {1u, 2u, 3u}) {
      TestGraph t;
      Node& node = t.add("Conv", "y");
      const FilterOrder order(axes, spatial);
      EXPECT_EQ(FilterOrder::of(node, static_cast<int>(spatial) + 2), std::nullopt);
      order.set(node);
      const auto read = FilterOrder::of(node, static_cast<int>(spatial) + 2);
      ASSERT_TRUE(read);
      EXPECT_EQ(read->is_depthwise(), order.is_depthwise());
      EXPECT_EQ(read->inputs(), order.inputs());
      for (const bool transposed : {false, true}) EXPECT_EQ(read->to_ir(transposed), order.to_ir(transposed)) << axes;
    }
}

TEST(FilterOrder, NamesEachAxisOnce) {
  const auto read = [](int64_t in, int64_t out, const Ints& spatial, int rank = 4) {
    TestGraph t;
    Node& node = t.add("Conv", "y");
    node.set("input_feature_channel", in);
    node.set("output_feature_channel", out);
    node.set("kernel_spatial_idx", spatial);
    FilterOrder::of(node, rank);
  };
  read(-2, -1, {0, 1});
  EXPECT_CODE(Code::BadValue, read(2, 4, {0, 1}));
  EXPECT_CODE(Code::BadValue, read(2, 3, {0, 0}));
  EXPECT_CODE(Code::BadValue, read(2, 2, {0, 2}));
  EXPECT_CODE(Code::ShapeMismatch, read(2, 3, {0}));
  EXPECT_CODE(Code::UnsupportedForm, read(2, 3, {0, 1}, -1));
}

}  // namespace
}  // namespace mo::test

#include "core/ops/dimension_origins.h"

#include <gtest/gtest.h>

#include "core/build/builder.h"
#include "tests/core/support/test_graph.h"

namespace mo::test {
namespace {

struct Origins : testing::Test {
  OutPort parameter(const std::string& name, PartialShape shape, ElementType type = ElementType::F32) {
    Node& node = g.add("Parameter", name);
    node.out().tensor().shape = std::move(shape);
    node.out().tensor().type = type;
    return node.out();
  }
  OutPort matmul(OutPort a, OutPort b, bool transpose_b = false) {
    return build.op("MatMul", {a, b}, {{"transpose_a", false}, {"transpose_b", transpose_b}});
  }
  OutPort sliced(OutPort x, OutPort stop, int64_t start = 0) {
    return build.op("Slice", {x, build.i64({start}), stop, build.i64({1}), build.i64({1})});
  }
  bool same(OutPort a, size_t a_axis, OutPort b, size_t b_axis) {
    return origins.of({a, a_axis}) == origins.of({b, b_axis});
  }

  TestGraph g;
  Builder build{g.graph, "t"};
  DimensionOrigins origins;
  const OutPort ids = parameter("ids", {kAnyDimension, kAnyDimension}, ElementType::I64);
  const OutPort other = parameter("other", {kAnyDimension, kAnyDimension}, ElementType::I64);
  const OutPort table = parameter("table", {9, 8}), positions = parameter("positions", {1, 7, 8});
  const OutPort words = build.gather(table, ids, 0);
};

TEST_F(Origins, HeadsAndScoresAreAsLongAsTheWords) {
  const OutPort shape = build.concat({build.dims_of(words, {0, 1}), build.i64({2, 4})}, 0);
  const OutPort heads =
      build.transpose(build.op("Reshape", {matmul(words, parameter("w", {8, 8})), shape}), {0, 2, 1, 3});
  const OutPort scores = matmul(heads, heads, true);
  EXPECT_TRUE(same(scores, 2, ids, 1));
  EXPECT_TRUE(same(scores, 3, ids, 1));
  EXPECT_TRUE(same(scores, 0, ids, 0));
  EXPECT_FALSE(same(scores, 0, ids, 1));
  EXPECT_FALSE(same(scores, 2, other, 1));
}

TEST_F(Origins, ASumHasTheDimensionThatAllItsTermsHave) {
  const OutPort twice = build.op("Add", {words, build.op("MVN", {words, build.i64({-1})})});
  EXPECT_TRUE(same(twice, 1, ids, 1));
  const OutPort mixed = build.op("Add", {words, build.gather(table, other, 0)});
  EXPECT_FALSE(same(mixed, 1, ids, 1));
  EXPECT_FALSE(same(mixed, 1, other, 1));
}

TEST_F(Origins, WhatIsCutAtTheDimensionAddsNothing) {
  const OutPort sum = build.op("Add", {sliced(positions, build.dims_of(ids, {1})), words});
  EXPECT_TRUE(same(sum, 1, ids, 1));
}

TEST_F(Origins, WhatIsCutElsewhereMayBeLonger) {
  const OutPort of_other = build.op("Add", {words, sliced(positions, build.dims_of(other, {1}))});
  EXPECT_FALSE(same(of_other, 1, ids, 1));
  const OutPort from_one = build.op("Add", {words, sliced(positions, build.dims_of(ids, {1}), 1)});
  EXPECT_FALSE(same(from_one, 1, ids, 1));
  const OutPort perhaps_nothing = parameter("perhaps_nothing", {1, kAnyDimension, 8});
  const OutPort of_nothing = build.op("Add", {words, sliced(perhaps_nothing, build.dims_of(ids, {1}))});
  EXPECT_FALSE(same(of_nothing, 1, ids, 1));
}

TEST_F(Origins, AnElementOfAShapeIsFoundBehindConcatAndGather) {
  const OutPort list = build.concat({build.i64({5}), build.shape_of(ids), build.i64({6})}, 0);
  const OutPort picked = build.gather(list, build.i64({-2, 0}), 0);
  const ShapeElement first = shape_element(picked, 0), second = shape_element(picked, 1);
  ASSERT_EQ(first.kind, ShapeElement::Kind::Dimension);
  EXPECT_TRUE((first.dimension == DimensionOrigin{ids, 1}));
  ASSERT_EQ(second.kind, ShapeElement::Kind::Number);
  EXPECT_EQ(second.number, 5);
  EXPECT_EQ(shape_element(picked, 2).kind, ShapeElement::Kind::Other);
}

TEST_F(Origins, ALongChainIsFollowedInSteps) {
  OutPort x = words;
  for (int i = 0; i < 1000; ++i) {
    x = build.op("Add", {x, build.op("ReLU", {x})});
    EXPECT_TRUE(same(x, 1, ids, 1));
  }
}

TEST_F(Origins, ALongChainAskedAboutAtItsEndIsNoStackOverflow) {
  OutPort x = words;
  for (int i = 0; i < 100000; ++i) x = build.op("ReLU", {x});
  EXPECT_FALSE(same(x, 1, ids, 1));
}

}  // namespace
}  // namespace mo::test

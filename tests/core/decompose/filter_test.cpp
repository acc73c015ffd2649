// Turning weights: a constant stays a place, and of quantised weights the integers are turned.
#include "core/decompose/spatial/filter.h"

#include <gtest/gtest.h>

#include "tests/core/support/test_graph.h"

namespace mo::test {
namespace {

const Ints kToIr = FilterOrder("*IO", 2).to_ir(false);

struct Weights {
  /// [3, 2, 4, 5]
  explicit Weights(ElementType type) : b(t.add("Conv", "y")) { port = b.constant(make_splat(type, {3, 2, 4, 5}, 7)); }
  /// One number for each output, in the last axis.
  OutPort scale() { return b.constant(make_f32({5}, {1, 2, 3, 4, 5})); }

  TestGraph t;
  Builder b;
  OutPort port;
};

TEST(Filter, AConstantStaysAPlace) {
  Weights w(ElementType::F32);
  const auto slice = std::make_shared<SliceContent>(0, 0, 3 * 2 * 4 * 5 * 4);
  const OutPort turned = turned_weights(w.b, w.b.constant({ElementType::F32, {3, 2, 4, 5}, slice}), kToIr);
  ASSERT_TRUE(turned.tensor().value);
  EXPECT_EQ(turned.tensor().value->shape, (Shape{5, 4, 3, 2}));
  EXPECT_EQ(turned.tensor().value->content->kind(), Content::Kind::Recipe);
}

TEST(Filter, TheScalesOfFakeQuantizeFollow) {
  Weights w(ElementType::F32);
  const OutPort low = w.scale(), high = w.scale(), one = w.b.f32_scalar(1);
  const OutPort fake = w.b.op("FakeQuantize", {w.port, low, high, one, high}, {{"levels", 255}});
  const OutPort turned = turned_weights(w.b, fake, kToIr);
  ASSERT_EQ(turned.node().op(), "FakeQuantize");
  EXPECT_EQ(turned.node().get_int("levels"), 255);
  EXPECT_EQ(to_string(turned.tensor().shape), "5,4,3,2");
  const auto shape = [&](int i) { return to_string(turned.node().source(i).tensor().shape); };
  EXPECT_EQ(shape(0), "5,4,3,2");
  EXPECT_TRUE(turned.node().source(0).tensor().value);
  EXPECT_EQ(shape(1), "5,1,1,1");
  EXPECT_EQ(shape(3), "");
  EXPECT_EQ(shape(4), "5,1,1,1");
}

TEST(Filter, TheIntegersOfAChainAreTurned) {
  Weights w(ElementType::I8);
  const OutPort real = w.b.op("Cast", {w.port}, {{"dst_type", ElementType::F32}, {"stop_value_propagation", true}});
  const OutPort zeros = w.b.op("Cast", {w.b.constant(make_splat(ElementType::I8, {5}, 3))},
                               {{"dst_type", ElementType::F32}, {"stop_value_propagation", true}});
  const OutPort y = w.b.op("Mul", {w.b.op("Sub", {real, zeros}), w.scale()});
  const OutPort turned = turned_weights(w.b, y, kToIr);
  ASSERT_EQ(turned.node().op(), "Mul");
  EXPECT_EQ(to_string(turned.node().source(1).tensor().shape), "5,1,1,1");
  const Node& sub = turned.node().source(0).node();
  ASSERT_EQ(sub.op(), "Sub");
  EXPECT_EQ(sub.source(1).node().op(), "Cast");
  EXPECT_EQ(to_string(sub.source(1).node().source(0).tensor().shape), "5,1,1,1");
  const Node& cast = sub.source(0).node();
  ASSERT_EQ(cast.op(), "Cast");
  const Tensor& integers = cast.source(0).tensor();
  ASSERT_TRUE(integers.value);
  EXPECT_EQ(integers.value->shape, (Shape{5, 4, 3, 2}));
  EXPECT_EQ(integers.value->type, ElementType::I8);
}

TEST(Filter, TheAxisOfDequantizeLinearFollows) {
  for (const int64_t axis : {3, -1}) {
    TestGraph t;
    Node &conv = t.add("Conv", "y"), &weights = t.add("Const", "w"), &scale = t.add("Const", "s");
    Node& dequantized = t.add("DequantizeLinear", "d", {weights.out(0), scale.out(0), {}});
    dequantized.set("axis", axis);
    Builder b(conv);
    const OutPort turned = turned_weights(b, dequantized.out(0), kToIr);
    ASSERT_EQ(turned.node().op(), "DequantizeLinear");
    EXPECT_EQ(turned.node().get_int("axis"), 0);
    EXPECT_EQ(turned.node().source(0).node().op(), "Transpose");
    EXPECT_EQ(turned.node().source(0).node().source(0), weights.out(0));
    EXPECT_EQ(turned.node().source(1), scale.out(0));
  }
}

TEST(Filter, WhatIsNotAConstantIsTurnedAsAWhole) {
  Weights w(ElementType::F32);
  Node& x = w.t.add("Parameter", "x");
  x.out(0).tensor().shape = {3, 2, 4, 5};
  x.out(0).tensor().type = ElementType::F32;
  const OutPort scaled = w.b.op("Mul", {x.out(0), w.scale()});
  const OutPort turned = turned_weights(w.b, scaled, kToIr);
  EXPECT_EQ(turned.node().op(), "Transpose");
  EXPECT_EQ(turned.node().source(0), scaled);
  // Weights of another number of groups of scales: blocks.
  TestGraph t;
  Node &conv = t.add("Conv", "y"), &weights = t.add("Const", "w"), &scale = t.add("Const", "s");
  Node& dequantized = t.add("DequantizeLinear", "d", {weights.out(0), scale.out(0), {}});
  dequantized.set("block_size", int64_t{2});
  Builder b(conv);
  EXPECT_EQ(turned_weights(b, dequantized.out(0), kToIr).node().source(0), dequantized.out(0));
}

}  // namespace
}  // namespace mo::test

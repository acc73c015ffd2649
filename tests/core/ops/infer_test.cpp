// Inference with partial information and with contradictions; hostile_test.cpp checks what holds for every operation.
#include <gtest/gtest.h>

#include "core/build/builder.h"
#include "tests/core/ops/samples.h"

namespace mo::test {
namespace {

constexpr Dimension kAny = kAnyDimension;

/// Shapes of the outputs of `op` with these inputs.
std::vector<PartialShape> shapes_of(const Sample& sample) {
  SampleNode made(sample);
  infer_node(made.node());
  return made.output_shapes();
}
std::string shape_of(const Sample& sample) { return to_string(shapes_of(sample).at(0)); }

TEST(Infer, PartialShapes) {
  EXPECT_EQ(shape_of({"Add", {data({2, kAny, 1}), data({kAny, 3})}}), "2,?,3");
  EXPECT_EQ(shape_of({"Concat", {data({kAny, 2}), data({3, {1, 4}})}, {{"axis", int64_t{1}}}}), "3,3..6");
  EXPECT_EQ(shape_of({"Concat", {data({2, 3}), data({})}, {{"axis", int64_t{1}}}}), "2,?");
  EXPECT_EQ(shape_of({"Reshape", {data({kAny, 3, 4}), numbers({0, -1})}}), "?,12");
  EXPECT_EQ(shape_of({"Reshape", {data({kAny, 3, 4}), numbers({-1, 6})}}), "?,6");
  EXPECT_EQ(shape_of({"MatMul", {data({kAny, 3, 4}), data({4, 5})}}), "?,3,5");
  EXPECT_EQ(shape_of({"Convolution", {data({kAny, 3, kAny, 32}), data({8, 3, 3, 3})}, {{"strides", Ints{2, 2}}}}),
            "?,8,?,15");
  EXPECT_EQ(shape_of({"Squeeze", {data({kAny, 1, 3}), numbers({1})}}), "?,3");
  EXPECT_EQ(shape_of({"Slice", {data({{4, 10}, 8}), numbers({1}), numbers({-1}), numbers({1}), numbers({0})}}),
            "2..8,8");
}

TEST(Infer, AxesCountFromTheEnd) {
  EXPECT_EQ(shape_of({"Unsqueeze", {data({2, 3}), numbers({-1})}}), "2,3,1");
  EXPECT_EQ(shape_of({"Gather", {data({2, 3, 4}), number(-1), number(-2)}}), "2,4");
  EXPECT_EQ(shape_of({"ReduceSum", {data({2, 3, 4}), numbers({-3})}, {{"keep_dims", false}}}), "3,4");
  EXPECT_EQ(shape_of({"Split", {data({2, 6}), number(-1)}, {{"num_splits", int64_t{2}}}, 2}), "2,3");
}

TEST(Infer, BoxesOfNonMaxSuppressionAreAtMostTheLimitOfEachClassOfEachImage) {
  const auto boxes = [](int64_t limit) {
    return shape_of({"NonMaxSuppression", {data({2, 10, 4}), data({2, 3, 10}), number(limit)}});
  };
  EXPECT_EQ(boxes(4), "0..24,3");
  EXPECT_EQ(boxes(100), "0..60,3");
  EXPECT_EQ(boxes(0), "0,3");
  EXPECT_EQ(boxes(-1), "0,3");
}

/// The integers that `op` gives for these constants; none if it is left to the runtime.
std::optional<std::vector<int64_t>> computed(const Sample& sample) {
  SampleNode made(sample);
  infer_node(made.node());
  const auto& value = made.node().out().tensor().value;
  return value ? read_ints(*value, made.node().graph().files(), 1 << 20) : std::nullopt;
}

TEST(Infer, LongListsOfIntegersAreComputedUpToALimit) {
  Ints many(Tensor::kMaxInts + 1), negated = many, more = many;
  for (size_t i = 0; i < many.size(); ++i)
    many[i] = static_cast<int64_t>(i), negated[i] = -many[i], more[i] = many[i] + 3;
  EXPECT_EQ(computed({"Negative", {numbers(many)}}), negated);
  EXPECT_EQ(computed({"Add", {numbers(many), number(3)}}), more);
  const Ints long_list(Model::kFoldOne / sizeof(int64_t) + 1, 1);
  EXPECT_EQ(computed({"Add", {numbers(long_list), number(3)}}), std::nullopt);
}

TEST(Infer, ExtremesOfTensorsWithNanAreLeftToTheRuntime) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const char* op : {"ReduceMax", "ReduceMin"})
    for (const float first : {nan, 1.0F}) {
      SampleNode made({op, {floats({first, 2}), numbers({0})}});
      infer_node(made.node());
      EXPECT_EQ(made.node().out().tensor().value.has_value(), first == 1) << op;
    }
}

TEST(Infer, EverythingComputedTogetherHasALimit) {
  SampleNode made({"Add", {floats({1, 2}), float_number(3)}});
  Model& model = made.node().graph().model();
  infer_node(made.node());
  EXPECT_TRUE(made.node().out().tensor().value);
  EXPECT_EQ(model.folded_bytes, 2 * sizeof(float));
  model.folded_bytes = Model::kFoldTotal;
  infer_node(made.node());
  EXPECT_FALSE(made.node().out().tensor().value);
}

TEST(Infer, ContradictionsSayWhatIsWrong) {
  EXPECT_CODE(Code::ShapeMismatch, shape_of({"Add", {data({2, 3}), data({2, 4})}}));
  EXPECT_CODE(Code::UnsupportedType, shape_of({"Add", {data({2}), data({2}, ElementType::I32)}}));
  EXPECT_CODE(Code::ShapeMismatch, shape_of({"MatMul", {data({2, 3}), data({4, 5})}}));
  EXPECT_CODE(Code::ShapeMismatch, shape_of({"Concat", {data({2, 3}), data({3, 3})}, {{"axis", int64_t{1}}}}));
  EXPECT_CODE(Code::ShapeMismatch, shape_of({"Reshape", {data({2, 3}), numbers({4, -1})}}));
  EXPECT_CODE(Code::BadValue, shape_of({"Reshape", {data({2, 3}), numbers({-1, -1})}}));
  EXPECT_CODE(Code::BadValue, shape_of({"Transpose", {data({2, 3}), numbers({1, 1})}}));
  EXPECT_CODE(Code::BadValue, shape_of({"Gather", {numbers({1, 2}), number(2), number(0)}}));
  EXPECT_CODE(Code::BadValue, shape_of({"ReduceSum", {data({2, 3}), numbers({2})}}));
  EXPECT_CODE(Code::BadValue, shape_of({"Slice", {data({4}), numbers({0}), numbers({4}), numbers({0})}}));
  EXPECT_CODE(Code::ShapeMismatch,
              shape_of({"Convolution", {data({1, 3, 8, 8}), data({8, 4, 3, 3})}, {{"strides", Ints{1, 1}}}}));
  EXPECT_CODE(Code::ShapeMismatch,
              shape_of({"Convolution", {data({1, 3, 2, 8}), data({8, 3, 3, 3})}, {{"strides", Ints{1, 1}}}}));
  EXPECT_CODE(Code::BadAttribute,
              shape_of({"Convolution", {data({1, 3, 8, 8}), data({8, 3, 3, 3})}, {{"strides", Ints{0, 1}}}}));
  EXPECT_CODE(Code::UnsupportedType,
              shape_of({"Convolution", {data({1, 1, 3}), data({1, 1, 2}, ElementType::I32)}, {{"strides", Ints{1}}}}));
  EXPECT_CODE(Code::RankMismatch,
              shape_of({"BatchNormInference", {data({3}), data({3}), data({3}), data({3}), data({3})}}));
  EXPECT_CODE(Code::ShapeMismatch, shape_of({"Split", {data({2, 5}), number(1)}, {{"num_splits", int64_t{2}}}, 2}));
  EXPECT_CODE(Code::BadAttribute,
              shape_of({"GroupNormalization", {data({1, 8, 4}), data({8}), data({8})}, {{"num_groups", int64_t{0}}}}));
  EXPECT_CODE(Code::NoInfer, shape_of({"NoSuchOperation", {data({1})}}));
}

TEST(Infer, SpatialAxesMustBeNamedOnce) {
  const auto pool = [](Ints batch, Ints channel, Ints spatial) {
    return shape_of({"MaxPool",
                     {data({2, 8, 6, 3})},
                     {{"kernel", Ints{2, 3}},
                      {"strides", Ints{2, 3}},
                      {"batch_dims", batch},
                      {"channel_dims", channel},
                      {"spatial_dims", spatial}}});
  };
  EXPECT_EQ(pool({0}, {3}, {1, 2}), "2,4,2,3");
  EXPECT_EQ(pool({3}, {0}, {2, 1}), "2,2,3,3");
  EXPECT_EQ(pool({0}, {-1}, {-3, 2}), "2,4,2,3");
  EXPECT_CODE(Code::BadAttribute, pool({0}, {3}, {1, 3}));
  EXPECT_CODE(Code::BadAttribute, pool({0}, {3}, {1}));
  EXPECT_CODE(Code::BadAttribute, pool({0, 1}, {3}, {2}));
  EXPECT_CODE(Code::BadAttribute, pool({0}, {-5}, {1, 2}));
  EXPECT_CODE(Code::BadAttribute, pool({0}, {int64_t{1} << 40}, {1, 2}));
}

TEST(Infer, TheShapeOfAParameterMayBeWholeNumbers) {
  const auto parameter = [](Ints shape) {
    return shape_of({"Parameter", {}, {{"shape", std::move(shape)}, {"data_type", ElementType::F32}}});
  };
  EXPECT_EQ(parameter({2, 3}), "2,3");
  EXPECT_EQ(parameter({}), "");
  EXPECT_CODE(Code::AttributeType, parameter({-2}));
}

TEST(Infer, DimensionsThatOverflowAreRefused) {
  const int64_t big = int64_t{1} << 40;
  EXPECT_CODE(Code::SizeOverflow, shape_of({"Broadcast", {data({1}), numbers({big, big})}}));
  EXPECT_CODE(Code::SizeOverflow, shape_of({"MatMul", {data({big, 1}), data({1, big})}}));
  EXPECT_CODE(Code::SizeOverflow, shape_of({"Tile", {data({big, 4}), numbers({big, 1})}}));
  // A dimension beyond 64 bits counts as unbounded.
  EXPECT_EQ(shape_of({"Tile", {data({big, kAny}), numbers({big, 1})}}), cat(INT64_MAX, ",?"));
}

/// Computations of a model with its own shape: every number stays an interval.
class ShapeSubGraph : public testing::Test {
 protected:
  OutPort parameter(PartialShape shape) {
    Node& node = graph.add_node("Parameter");
    node.add_out_ports(1);
    node.set("shape", std::move(shape));
    node.set("data_type", ElementType::F32);
    infer_node(node);
    return node.out(0);
  }

  MemoryFiles files;
  Graph graph{std::make_shared<Model>(files, built_in_operations())};
  Builder b{graph, "t"};
};

TEST_F(ShapeSubGraph, IntervalsReachTheReshape) {
  const OutPort x = parameter({{1, 8}, 3, {16, 32}});
  const OutPort batch = b.dims_of(x, {0}), width = b.dims_of(x, {2});
  const OutPort doubled = b.op("Mul", {width, b.i64({2})});
  const OutPort target = b.concat({batch, b.i64({-1}), doubled}, 0);
  const OutPort y = b.op("Reshape", {parameter({{1, 8}, 6, {16, 32}}), target}, {{"special_zero", false}});
  EXPECT_EQ(to_string(y.tensor().shape), "1..8,?,32..64");
  EXPECT_TRUE(target.tensor().from_shape);
  EXPECT_FALSE(target.tensor().value);
}

TEST_F(ShapeSubGraph, WhatIsStaticBecomesExact) {
  const OutPort x = parameter({2, 3, 16});
  const OutPort area = b.op("Mul", {b.dims_of(x, {1}), b.dims_of(x, {2})});
  const OutPort target = b.concat({b.dims_of(x, {0}), area}, 0);
  EXPECT_EQ(to_string(b.op("Reshape", {x, target}).tensor().shape), "2,48");
  EXPECT_TRUE(target.tensor().value);
}

TEST_F(ShapeSubGraph, SlicesCastsAndHalvesKeepIntervals) {
  const OutPort shape = b.shape_of(parameter({{2, 9}, 3, 8, {10, 21}}));
  const OutPort last = b.op("StridedSlice", {shape, b.i64({-1}), b.i64({0}), b.i64({1})},
                            {{"begin_mask", Ints{0}}, {"end_mask", Ints{1}}});
  const OutPort half = b.op("Div", {b.convert(last, ElementType::I32), b.convert(b.i64({2}), ElementType::I32)});
  EXPECT_EQ(half.tensor().ints->elements, (std::vector<Interval>{{5, 10}}));
  const OutPort all = b.reduce("ReduceProd", shape, {0}, true);
  EXPECT_EQ(all.tensor().ints->elements, (std::vector<Interval>{{2 * 3 * 8 * 10, 9 * 3 * 8 * 21}}));
  const OutPort filled =
      b.op("Broadcast", {b.i64_scalar(0), b.concat({b.convert(half, ElementType::I64), b.i64({4})}, 0)});
  EXPECT_EQ(to_string(filled.tensor().shape), "5..10,4");
}

TEST_F(ShapeSubGraph, ReductionsOfNothingGiveWhatChangesNothing) {
  const OutPort none = b.op("Slice", {b.shape_of(parameter({2, 9})), b.i64({0}), b.i64({0}), b.i64({1}), b.i64({0})});
  EXPECT_EQ(b.reduce("ReduceProd", none, {0}, true).tensor().ints->elements, std::vector<Interval>{1});
  EXPECT_EQ(b.reduce("ReduceSum", none, {0}, false).tensor().ints->elements, std::vector<Interval>{0});
  EXPECT_FALSE(b.reduce("ReduceMax", none, {0}, true).tensor().ints);
}

TEST_F(ShapeSubGraph, ProductsThatOverflowAreUnbounded) {
  const OutPort shape = b.shape_of(parameter({kAny, kAny}));
  const OutPort product = b.op("Mul", {shape, b.i64({int64_t{1} << 62})});
  EXPECT_EQ(product.tensor().ints->elements[0].max, Interval::kInfinity);
  const OutPort exact = b.op("Mul", {b.i64({int64_t{1} << 62}), b.i64({4})});
  EXPECT_FALSE(exact.tensor().ints && exact.tensor().ints->is_exact());
}

}  // namespace
}  // namespace mo::test

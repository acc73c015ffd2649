// Components become operations; their fields are checked against each other before.

#include <gtest/gtest.h>

#include "core/front/kaldi/extract/extractor.h"
#include "tests/core/support/test_graph.h"

namespace mo::test {
namespace {

Constant row(int64_t size) { return make_f32({size}, std::vector<float>(static_cast<size_t>(size), 1)); }
Constant matrix(int64_t rows, int64_t columns) {
  return make_f32({rows, columns}, std::vector<float>(static_cast<size_t>(rows * columns), 1));
}

/// A component of these fields that reads x, extracted.
struct Extracted : TestGraph {
  Extracted(std::string_view type, NewAttributes fields)
      : node(add(std::string(type).c_str(), "n", {add("Parameter", "x").out(0)})) {
    node.attributes = Attributes(fields);
    const Operator* found = kaldi::operators().find(type);
    if (!found || !found->extract) throw Error(Code::UnsupportedOp, std::string(type));
    found->extract(node);
  }
  /// The ops of the nodes that have been made, in their order, and the node's.
  std::string ops() const {
    std::string out;
    for (const Node* made : graph.nodes())
      if (made->op() != "Parameter" && made->op() != "Const" && made != &node) out += made->op() + " ";
    return out + node.op();
  }
  Ints offsets() const {
    Ints out;
    for (const Node* made : graph.nodes("MemoryOffset")) out.push_back(made->get_int("t"));
    return out;
  }
  Node& node;
};

std::optional<Code> refused(std::string_view type, NewAttributes fields) {
  try {
    Extracted(type, fields);
  } catch (const Error& error) {
    return error.code();
  }
  return std::nullopt;
}

TEST(KaldiComponents, AffineKeepsItsWeightsInTheirPlaces) {
  const Constant weights{ElementType::F32, {2, 3}, std::make_shared<SliceContent>(FileId(0), 100, 24)};
  const Extracted of("AffineTransform", {{"LinearParams", weights}, {"BiasParams", row(2)}, {"inputs", 3}});
  EXPECT_EQ(of.ops(), "MatMul Add");
  const Node& product = of.node.source(0).node();
  EXPECT_TRUE(product.get_bool("transpose_b"));
  EXPECT_EQ(product.source(1).node().get_constant("value")->content, weights.content);
  EXPECT_EQ(Extracted("LinearComponent", {{"Params", matrix(2, 3)}}).ops(), "MatMul");
}

TEST(KaldiComponents, DoublesBecomeFloats) {
  const Constant weights = convert(matrix(2, 3), ElementType::F64);
  const Extracted of("LinearTransform", {{"LinearParams", weights}});
  EXPECT_EQ(of.node.source(1).node().get_constant("value")->type, ElementType::F32);
}

TEST(KaldiComponents, WrongFieldsHaveTheirCodes) {
  const Constant weights = matrix(2, 3), none{ElementType::F32, {0, 0}, row(1).content};
  EXPECT_EQ(refused("AffineComponent", {{"BiasParams", row(2)}}), Code::MissingAttribute);
  EXPECT_EQ(refused("AffineComponent", {{"LinearParams", weights}}), Code::MissingAttribute);
  EXPECT_EQ(refused("AffineComponent", {{"LinearParams", weights}, {"BiasParams", row(3)}}), Code::ShapeMismatch);
  EXPECT_EQ(refused("AffineComponent", {{"LinearParams", none}, {"BiasParams", row(3)}}), Code::BadAttribute);
  EXPECT_EQ(refused("AffineComponent", {{"LinearParams", 5}, {"BiasParams", row(3)}}), Code::BadAttribute);
  EXPECT_EQ(refused("AffineTransform", {{"LinearParams", weights}, {"BiasParams", row(2)}, {"outputs", 3}}),
            Code::ShapeMismatch);
  EXPECT_EQ(refused("LinearTransform", {{"LinearParams", weights}, {"inputs", 2}}), Code::ShapeMismatch);
  for (const int64_t size : {int64_t{0}, int64_t{-1}, int64_t{1} << 31, INT64_MAX}) {
    EXPECT_EQ(refused("PnormComponent", {{"InputDim", 4}, {"OutputDim", size}}), Code::BadAttribute) << size;
    EXPECT_EQ(refused("NormalizeComponent", {{"InputDim", size}}), Code::BadAttribute) << size;
    EXPECT_EQ(refused("SumGroupComponent", {{"Sizes", Ints{1, size}}}), Code::BadAttribute) << size;
    EXPECT_EQ(refused("DropoutMaskComponent", {{"OutputDim", size}, {"DropoutProportion", 0.5}}), Code::BadAttribute);
    EXPECT_EQ(refused("StatisticsExtractionComponent", {{"InputDim", 2}, {"InputPeriod", 1}, {"OutputPeriod", size}}),
              Code::BadAttribute);
  }
  EXPECT_EQ(refused("PnormComponent", {{"InputDim", 4}, {"OutputDim", 3}}), Code::ShapeMismatch);
  EXPECT_EQ(refused("SumGroupComponent", {{"Sizes", Ints{1 << 24, 1}}}), Code::BadAttribute);
  EXPECT_EQ(refused("Copy", {{"Indices", Ints{0}}}), Code::BadAttribute);
  EXPECT_EQ(refused("Copy", {{"Indices", Ints{4}}, {"inputs", 3}}), Code::BadAttribute);
  EXPECT_EQ(refused("PermuteComponent", {{"Reorder", Ints{0, 0}}}), Code::BadAttribute);
  EXPECT_EQ(refused("DropoutComponent", {{"Dim", 2}, {"DropoutProportion", 1.5}}), Code::BadAttribute);
  EXPECT_EQ(refused("BatchNormComponent", {{"Dim", 4}, {"BlockDim", 3}}), Code::ShapeMismatch);
  EXPECT_EQ(refused("BatchNormComponent", {{"Dim", 4}, {"BlockDim", 4}}), Code::UnsupportedForm);
}

TEST(KaldiComponents, WrongWindowsHaveTheirCodes) {
  const Constant weights = matrix(2, 6), bias = row(2);
  EXPECT_EQ(refused("TdnnComponent", {{"TimeOffsets", Ints{0, 0}}, {"LinearParams", weights}}), Code::BadAttribute);
  EXPECT_EQ(refused("TdnnComponent", {{"TimeOffsets", Ints{0, 1, 2, 3}}, {"LinearParams", weights}}),
            Code::ShapeMismatch);
  EXPECT_EQ(refused("ConvolutionalComponent",
                    {{"PatchDim", 3}, {"PatchStep", 1}, {"PatchStride", 2}, {"Filters", weights}, {"Bias", bias}}),
            Code::ShapeMismatch);
  EXPECT_EQ(refused("ConvolutionalComponent",
                    {{"PatchDim", 4}, {"PatchStep", 1}, {"PatchStride", 5}, {"Filters", weights}, {"Bias", bias}}),
            Code::ShapeMismatch);
  EXPECT_EQ(refused("MaxPoolingComponent", {{"PoolSize", 4}, {"PoolStep", 1}, {"PoolStride", 2}, {"inputs", 6}}),
            Code::ShapeMismatch);
  const auto pooling = [](int64_t left, int64_t right) {
    return refused("StatisticsPoolingComponent",
                   {{"InputDim", 3}, {"InputPeriod", 1}, {"LeftContext", left}, {"RightContext", right}});
  };
  EXPECT_EQ(pooling(1, 10000), std::nullopt);
  EXPECT_EQ(pooling(0, 0), Code::BadAttribute);
  EXPECT_EQ(pooling(-1, 5), Code::BadAttribute);
  EXPECT_EQ(pooling(0, INT32_MAX), Code::BadAttribute);
  EXPECT_EQ(pooling(int64_t{1} << 31, 0), Code::BadAttribute);
  EXPECT_EQ(refused("GruNonlinearityComponent", {{"CellDim", 2}, {"RecurrentDim", 3}, {"w_h", matrix(2, 3)}}),
            Code::ShapeMismatch);
  EXPECT_EQ(refused("SpliceComponent", {{"InputDim", 3}, {"ConstComponentDim", 3}, {"Context", Ints{0}}}),
            Code::ShapeMismatch);
  EXPECT_EQ(refused("SpliceComponent", {{"InputDim", 3}, {"LeftContext", INT32_MAX}, {"RightContext", 1}}),
            Code::BadAttribute);
}

TEST(KaldiComponents, FramesAreReadInTheOrderOfTheFile) {
  EXPECT_EQ(Extracted("Splice", {{"Context", Ints{1, -4, 0}}}).offsets(), (Ints{1, -4}));
  EXPECT_EQ(Extracted("SpliceComponent", {{"InputDim", 3}, {"LeftContext", 1}, {"RightContext", 2}}).offsets(),
            (Ints{-1, 1, 2}));
  EXPECT_EQ(Extracted("SpliceComponent", {{"InputDim", 3}, {"Context", Ints{0, 5}}, {"ConstComponentDim", 1}}).ops(),
            "VariadicSplit MemoryOffset Concat Identity");
}

TEST(KaldiComponents, GroupsOfOneSizeAreSummedAtOnce) {
  EXPECT_EQ(Extracted("SumGroupComponent", {{"Sizes", Ints{2, 2}}}).graph.nodes("ReduceSum").size(), 1u);
  EXPECT_EQ(Extracted("SumGroupComponent", {{"Sizes", Ints{2, 1, 3, 2, 3}}}).graph.nodes("ReduceSum").size(), 2u);
}

TEST(KaldiComponents, BlocksAreRowsForTheirVectors) {
  EXPECT_EQ(Extracted("ScaleAndOffsetComponent", {{"Dim", 4}, {"Scales", row(4)}, {"Offsets", row(4)}}).ops(),
            "Mul Add Identity");
  EXPECT_EQ(Extracted("ScaleAndOffsetComponent", {{"Dim", 4}, {"Scales", row(2)}, {"Offsets", row(2)}}).ops(),
            "Reshape Mul Add Reshape Identity");
  EXPECT_EQ(Extracted("NormalizeComponent", {{"InputDim", 4}, {"BlockDim", 2}}).ops(),
            "Reshape NormalizeL2 Mul Reshape Identity");
}

TEST(KaldiComponents, WhatTrainingAloneChangesPassesItsInput) {
  for (const char* type :
       {"NoOpComponent", "ClipGradientComponent", "GeneralDropoutComponent", "SpecAugmentTimeMaskComponent"})
    EXPECT_EQ(Extracted(type, {}).ops(), "Identity") << type;
  EXPECT_EQ(Extracted("BackpropTruncationComponent", {{"Dim", 2}}).ops(), "Identity");
  EXPECT_EQ(Extracted("BackpropTruncationComponent", {{"Dim", 2}, {"Scale", 0.5}}).ops(), "Mul");
}

}  // namespace
}  // namespace mo::test

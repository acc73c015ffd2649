// Shapes of operations on boxes, and inputs that do not fit together.
#include <gtest/gtest.h>

#include "tests/core/ops/samples.h"

namespace mo::test {
namespace {

std::string shapes_text(const Sample& sample) {
  SampleNode made(sample);
  infer_node(made.node());
  std::string out;
  for (const PartialShape& shape : made.output_shapes()) out += cat(out.empty() ? "" : " | ", to_string(shape));
  return out;
}

Sample detection_output(PartialShape boxes, PartialShape scores, PartialShape priors, Attributes attributes = {}) {
  attributes.set("nms_threshold", 0.5);
  return {"DetectionOutput", {data(boxes), data(scores), data(priors)}, std::move(attributes)};
}

TEST(DetectionOutput, KeepsAsManyBoxesOfAnImageAsItIsTold) {
  const auto kept = [](int64_t keep_top_k, int64_t top_k) {
    return shapes_text(detection_output({2, 40}, {2, 30}, {1, 2, 40}, {{"keep_top_k", keep_top_k}, {"top_k", top_k}}));
  };
  EXPECT_EQ(kept(5, -1), "1,1,10,7");
  EXPECT_EQ(kept(-1, 4), "1,1,24,7");
  EXPECT_EQ(kept(-1, -1), "1,1,60,7");
  EXPECT_CODE(Code::BadAttribute, kept(-2, -1));
}

TEST(DetectionOutput, WhatIsNotKnownStaysUnknown) {
  EXPECT_EQ(
      shapes_text(detection_output({kAnyDimension, 40}, {kAnyDimension, 30}, {1, 2, 40}, {{"keep_top_k", int64_t{5}}})),
      "1,1,?,7");
  EXPECT_EQ(shapes_text(detection_output({kAnyDimension, 40}, {2, 30}, {1, 2, 40}, {{"keep_top_k", int64_t{5}}})),
            "1,1,10,7");
  EXPECT_EQ(shapes_text(detection_output({2, kAnyDimension}, {2, kAnyDimension}, {1, 2, kAnyDimension})), "1,1,?,7");
}

TEST(DetectionOutput, PriorsBoxesAndScoresHaveToFit) {
  EXPECT_CODE(Code::ShapeMismatch, shapes_text(detection_output({2, 36}, {2, 30}, {1, 2, 40})));
  EXPECT_CODE(Code::ShapeMismatch, shapes_text(detection_output({2, 40}, {2, 31}, {1, 2, 40})));
  EXPECT_CODE(Code::ShapeMismatch, shapes_text(detection_output({2, 40}, {3, 30}, {1, 2, 40})));
  EXPECT_CODE(Code::ShapeMismatch, shapes_text(detection_output({2, 40}, {2, 30}, {3, 2, 40})));
  EXPECT_CODE(Code::ShapeMismatch, shapes_text(detection_output({2, 40}, {2, 30}, {1, 1, 40})));
  EXPECT_CODE(Code::ShapeMismatch, shapes_text(detection_output({2, 40}, {2, 30}, {1, 2, 42})));
  EXPECT_CODE(Code::ShapeMismatch,
              shapes_text(detection_output({2, 80}, {2, 30}, {1, 2, 40}, {{"share_location", false}})));
  EXPECT_CODE(Code::RankMismatch, shapes_text(detection_output({2, 10, 4}, {2, 30}, {1, 2, 40})));
  Sample halves = detection_output({2, 40}, {2, 30}, {1, 2, 40});
  halves.inputs.push_back(data({2, 20}));
  EXPECT_CODE(Code::MissingInput, shapes_text(halves));
}

TEST(PriorBox, RatiosThatAreAlikeCountOnce) {
  const auto boxes = [](Attributes attributes) {
    return shapes_text({"PriorBox", {numbers({1, 1}), numbers({10, 10})}, std::move(attributes)});
  };
  EXPECT_EQ(boxes({{"min_size", Doubles{8}}, {"aspect_ratio", Doubles{2, 0.5, 1}}, {"flip", true}}), "2,12");
  EXPECT_EQ(boxes({{"min_size", Doubles{8}}, {"aspect_ratio", Doubles{2, 3}}, {"flip", false}}), "2,12");
  EXPECT_EQ(boxes({{"min_size", Doubles{8, 9}}, {"max_size", Doubles{10}}}), "2,12");
  EXPECT_EQ(boxes({{"min_size", Doubles{8, 9}}, {"aspect_ratio", Doubles{2}}, {"scale_all_sizes", false}}), "2,12");
  EXPECT_EQ(boxes({{"fixed_size", Doubles{8}}, {"density", Doubles{2}}}), "2,16");
  EXPECT_EQ(boxes({{"fixed_size", Doubles{8}}, {"density", Doubles{2}}, {"fixed_ratio", Doubles{1, 2}}}), "2,28");
  EXPECT_CODE(Code::BadAttribute, boxes({}));
  EXPECT_CODE(Code::BadAttribute, boxes({{"min_size", Doubles{8}}, {"aspect_ratio", Doubles{0}}}));
  EXPECT_CODE(Code::BadAttribute, boxes({{"fixed_size", Doubles{8}}, {"density", Doubles{0.5}}}));
}

TEST(PriorBox, SizesAreTwoWholeNumbers) {
  const Attributes one{{"min_size", Doubles{8}}};
  EXPECT_EQ(shapes_text({"PriorBox", {data({2}, ElementType::I64), numbers({10, 10})}, one}), "2,?");
  EXPECT_CODE(Code::ShapeMismatch, shapes_text({"PriorBox", {numbers({1, 1, 1}), numbers({10, 10})}, one}));
  EXPECT_CODE(Code::UnsupportedType, shapes_text({"PriorBox", {data({2}), numbers({10, 10})}, one}));
  EXPECT_CODE(Code::BadAttribute, shapes_text({"PriorBoxClustered",
                                               {numbers({1, 1}), numbers({10, 10})},
                                               {{"width", Doubles{8, 9}}, {"height", Doubles{8}}}}));
}

TEST(Proposal, ScoresAndDeltasAreOfTheSameAnchors) {
  const auto proposal = [](PartialShape scores, PartialShape deltas, PartialShape image) {
    return shapes_text({"Proposal", {data(scores), data(deltas), data(image)}, {{"post_nms_topn", int64_t{20}}}, 2});
  };
  EXPECT_EQ(proposal({2, 6, 9, 11}, {2, 12, 9, 11}, {3}), "40,5 | 40");
  EXPECT_EQ(proposal({kAnyDimension, 6, 9, 11}, {kAnyDimension, 12, 9, 11}, {4}), "?,5 | ?");
  EXPECT_CODE(Code::ShapeMismatch, proposal({2, 6, 9, 11}, {2, 24, 9, 11}, {3}));
  EXPECT_CODE(Code::ShapeMismatch, proposal({2, 6, 9, 11}, {2, 12, 9, 12}, {3}));
  EXPECT_CODE(Code::ShapeMismatch, proposal({2, 6, 9, 11}, {2, 12, 9, 11}, {5}));
  EXPECT_CODE(Code::RankMismatch, proposal({2, 6, 9, 11}, {2, 12, 9, 11}, {2, 3}));
}

TEST(MulticlassNms, AtMostWhatEachClassAndEachImageMayKeep) {
  const auto most = [](Attributes attributes) {
    return shapes_text({"MulticlassNms", {data({2, 6, 4}), data({2, 3, 6})}, std::move(attributes), 3});
  };
  EXPECT_EQ(most({}), "0..36,6 | 0..36,1 | 2");
  EXPECT_EQ(most({{"nms_top_k", int64_t{2}}}), "0..12,6 | 0..12,1 | 2");
  EXPECT_EQ(most({{"nms_top_k", int64_t{4}}, {"keep_top_k", int64_t{5}}}), "0..10,6 | 0..10,1 | 2");
  EXPECT_EQ(shapes_text({"MulticlassNms", {data({3, 6, 4}), data({3, 6}), data({2}, ElementType::I64)}, {}, 3}),
            "0..36,6 | 0..36,1 | 2");
  EXPECT_CODE(Code::BadAttribute, most({{"nms_top_k", int64_t{-2}}}));
  EXPECT_CODE(Code::ShapeMismatch, shapes_text({"MatrixNms", {data({2, 6, 4}), data({2, 3, 7})}, {}, 3}));
}

TEST(PooledRegions, HaveAChannelForEachBin) {
  const auto pooled = [](int64_t channels, Attributes attributes) {
    attributes.set("output_dim", int64_t{2});
    attributes.set("group_size", int64_t{3});
    return shapes_text({"PSROIPooling", {data({1, channels, 9, 11}), data({kAnyDimension, 5})}, std::move(attributes)});
  };
  EXPECT_EQ(pooled(18, {}), "?,2,3,3");
  EXPECT_EQ(
      pooled(8, {{"mode", std::string("bilinear")}, {"spatial_bins_x", int64_t{2}}, {"spatial_bins_y", int64_t{2}}}),
      "?,2,3,3");
  EXPECT_CODE(Code::ShapeMismatch, pooled(17, {}));
  EXPECT_CODE(Code::BadAttribute, pooled(18, {{"mode", std::string("max")}}));
}

TEST(PooledRegions, HaveAnOffsetForEachBox) {
  const auto pooled = [](PartialShape offsets) {
    return shapes_text(
        {"DeformablePSROIPooling",
         {data({1, 18, 9, 11}), data({kAnyDimension, 5}), data(std::move(offsets))},
         {{"output_dim", int64_t{2}}, {"group_size", int64_t{3}}, {"mode", std::string("bilinear_deformable")}}});
  };
  EXPECT_EQ(pooled({8, 2, 7, 7}), "8,2,3,3");
  EXPECT_EQ(pooled({kAnyDimension, 2, 7, 7}), "?,2,3,3");
}

TEST(ReorgYolo, SidesAreMultiplesOfTheStride) {
  const auto blocks = [](PartialShape shape) {
    return shapes_text({"ReorgYolo", {data(shape)}, {{"stride", int64_t{2}}}});
  };
  EXPECT_EQ(blocks({1, 64, 26, 26}), "1,256,13,13");
  EXPECT_EQ(blocks({kAnyDimension, 64, kAnyDimension, 26}), "?,256,?,13");
  EXPECT_CODE(Code::ShapeMismatch, blocks({1, 64, 25, 26}));
  EXPECT_CODE(Code::ShapeMismatch, blocks({1, 3, 26, 26}));
}

TEST(ExperimentalDetectron, EachPartChecksWhatItReads) {
  const auto detections = [](PartialShape deltas, PartialShape image) {
    return shapes_text({"ExperimentalDetectronDetectionOutput",
                        {data({9, 4}), data(deltas), data({9, 3}), data(image)},
                        {{"num_classes", int64_t{3}}, {"max_detections_per_image", int64_t{7}}},
                        3});
  };
  EXPECT_EQ(detections({9, 12}, {1, 3}), "7,4 | 7 | 7");
  EXPECT_CODE(Code::ShapeMismatch, detections({9, 4}, {1, 3}));
  EXPECT_CODE(Code::ShapeMismatch, detections({9, 12}, {2, 3}));
  const auto features = [](PartialShape second, Ints scales) {
    return shapes_text({"ExperimentalDetectronROIFeatureExtractor",
                        {data({kAnyDimension, 4}), data({1, 6, 9, 11}), data(second)},
                        {{"output_size", int64_t{7}}, {"pyramid_scales", std::move(scales)}},
                        2});
  };
  EXPECT_EQ(features({1, kAnyDimension, 5, 6}, {4, 8, 16}), "?,6,7,7 | ?,4");
  EXPECT_CODE(Code::ShapeMismatch, features({1, 5, 5, 6}, {4, 8}));
  EXPECT_CODE(Code::ShapeMismatch, features({2, 6, 5, 6}, {4, 8}));
  EXPECT_CODE(Code::BadAttribute, features({1, 6, 5, 6}, {4}));
  const auto grid = [](bool flatten) {
    return shapes_text({"ExperimentalDetectronPriorGridGenerator",
                        {data({3, 4}), data({1, 9, 4, kAnyDimension}), data({1, 3, 30, 40})},
                        {{"flatten", flatten}}});
  };
  EXPECT_EQ(grid(true), "?,4");
  EXPECT_EQ(grid(false), "4,?,3,4");
}

}  // namespace
}  // namespace mo::test

#include "core/pipeline/transforms.h"

#include <gtest/gtest.h>

#include <set>

#include "core/ops/op_def.h"

namespace mo {
namespace {

/// The order is part of the product: a change here affects every model.
TEST(Transforms, OrderIsPinned) {
  std::string order;
  for (const ScheduledTransform& s : schedule_transforms()) order += std::string(s.name) + "\n";
  EXPECT_EQ(order,
            "LoadFinish\n"
            "TransformationsConfig\n"
            "FrontStart\n"
            "YoloV3RegionAddon\n"
            "YoloRegionAddon\n"
            "TdnnComponentReplacer\n"
            "SwishFusion\n"
            "StandaloneConstEraser\n"
            "SoftplusFusion\n"
            "SoftmaxFromKeras\n"
            "RestrictedAttentionComponentReplacer\n"
            "ReplaceTimeHeightConvolutionPattern\n"
            "ReplacePNormNodePattern\n"
            "ReplaceLstmNonLinearityPattern\n"
            "ReplaceLSTMNodePattern\n"
            "ReplaceEltwiseNin1NodePattern\n"
            "ReplaceDropoutMaskPattern\n"
            "ObjectDetectionAPITransformationsStart\n"
            "SSDToolboxDetectionOutputReplacement\n"
            "RetinaNetFilteredDetectionsReplacement\n"
            "ObjectDetectionAPIOutputReplacement\n"
            "ObjectDetectionAPIConstValueOverride\n"
            "ObjectDetectionAPIPreprocessorReplacement\n"
            "ObjectDetectionAPIPreprocessor2Replacement\n"
            "ObjectDetectionAPISSDPostprocessorReplacement\n"
            "ObjectDetectionAPIProposalReplacement\n"
            "ObjectDetectionAPIPSROIPoolingReplacement\n"
            "ObjectDetectionAPIDetectionOutputReplacement\n"
            "ObjectDetectionAPIMaskRCNNROIPoolingSecondReplacement\n"
            "ObjectDetectionAPIMaskRCNNSigmoidReplacement\n"
            "EfficientDet\n"
            "ObjectDetectionAPITransformationsFinish\n"
            "ONNXPersonDetectionCrossroadReplacement\n"
            "ONNXMaskRCNNTransformation\n"
            "NoOpEraser\n"
            "MishFusion\n"
            "LayerNorm\n"
            "HSwishWithMinMax\n"
            "HSwishWithClamp\n"
            "HSigmoidWithReluMul\n"
            "HSigmoidWithReluDiv\n"
            "HSigmoidWithMinMax\n"
            "HSigmoidWithClamp\n"
            "GeLUMergerTanh\n"
            "GeLUMergerErf\n"
            "DynamicQuantizedMatMul\n"
            "ComparisonOfBits\n"
            "ApplyCountsFilePattern\n"
            "AddReshapeTransposeAroundConvPool\n"
            "MemoryOffsetAdjustment\n"
            "MemoryOffsetBatchUpdate\n"
            "FrontFinish\n"
            "UnreadReplacementDescriptions\n"
            "RankOfInputs\n"
            "PartialInfer\n"
            "CheckForCycle\n"
            "PreMiddleStart\n"
            "RemoveIdentity\n"
            "LayerNormOfMoments\n"
            "L2NormToNorm\n"
            "AddMeanScaleValues\n"
            "InsertReverseChannels\n"
            "ApplyTargetLayout\n"
            "MiddleStart\n"
            "UnknownRankOfBranches\n"
            "SelectOfDimensions\n"
            "ScaledDotProductAttentionFusion\n"
            "ReplaceMemoryOffsetNodePattern\n"
            "ReplaceMemoryOffsetWithMemoryNodePattern\n"
            "RemoveUselessCropsPattern\n"
            "RemoveUnchangedStates\n"
            "PReLUPatternFuse\n"
            "OperandOfOtherShape\n"
            "MatMulOfRows\n"
            "GatherSliceFusion\n"
            "FusePreprocessing\n"
            "DimensionsOfWeights\n"
            "ComplexPartsEraser\n"
            "AddSelectBeforeMemoryNodePattern\n"
            "ReplaceSpliceNodePattern\n"
            "MiddleFinish\n"
            "Fusing\n"
            "RemoveNeutralOperations\n"
            "FuseReshapesSequence\n"
            "RemoveRedundantReshapes\n"
            "PostMiddleStart\n"
            "ConvertLayoutDependentOperations\n"
            "MarkSubGraphsWithCorrectLayout\n"
            "NormalizeEltwiseInputs\n"
            "LayoutChangeForEinsum\n"
            "InsertLayoutPropagationTranspose\n"
            "LayoutChangeForConstantShapePaths\n"
            "ApplyNHWCtoNCHWpermutation\n"
            "MergeNodesPermutations\n"
            "PreserveRuntimeInfo\n"
            "ApplyPermutation\n"
            "BackStart\n"
            "WeightsByRow\n"
            "UnsqueezeBatchedWeights\n"
            "UniqueInOrder\n"
            "StateDimensions\n"
            "SliceOfOpenAxes\n"
            "ShufflenetReLUReorder\n"
            "ShuffleChannelsFusion\n"
            "ReorderedList\n"
            "MoveTransposes\n"
            "RemoveLastSoftMaxPattern\n"
            "RemoveLastLogSoftMaxPattern\n"
            "ProductOfLargeFactor\n"
            "PadOfOpenSize\n"
            "PadFusion\n"
            "OneHotOfScalar\n"
            "NormalizeToNormalizeL2\n"
            "NestedTensorIterator\n"
            "NestedGathers\n"
            "TileOfOpenSize\n"
            "SimplifyReshapePatterns\n"
            "ShareDimensions\n"
            "MergeEqualShapeOperations\n"
            "MatMulByChannel\n"
            "GatherUnsqueezeFusion\n"
            "SliceToStridedSlice\n"
            "GatherNormalizer\n"
            "GatherOfOneBatch\n"
            "FuseTransposesSequence\n"
            "MergeEqualTransposes\n"
            "TransposeOfFactor\n"
            "TransposeToReshape\n"
            "ShapeOfTransposed\n"
            "MergeEqualOperations\n"
            "ReshapeAfterReduce\n"
            "ReshapeOfReduced\n"
            "ReduceOfThreeDimensions\n"
            "ConstantOfHigherRank\n"
            "FakeQuantizeToRound\n"
            "NarrowRangeOfActivations\n"
            "DivisionOfBytes\n"
            "DataOfGatherElements\n"
            "CutMemoryOutput\n"
            "CutMemoryInput\n"
            "ChangingLoopValues\n"
            "BroadcastOfAttentionMask\n"
            "ApplyRequestedTransforms\n"
            "StatesOfOtherTypes\n"
            "SliceBehindState\n"
            "LengthsOfOpenSequence\n"
            "SharedTransposeOfSequence\n"
            "QuantiseWeights\n"
            "CompressFloatConstants\n"
            "UnknownRanks\n"
            "BackFinish\n");
}

TEST(Transforms, EveryRowHasANameAPhaseAndASentence) {
  std::set<std::string_view> names;
  for (const TransformRow& row : all_transforms()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_GT(row.description.size(), 15u) << row.name;
    EXPECT_EQ(row.description.back(), '.') << row.name;
  }
}

TEST(OpDefs, EachIsDefinedOnceWithATypeAndAVersion) {
  std::set<std::string_view> seen;
  for (const OpDef* def : all_ops()) {
    EXPECT_TRUE(seen.insert(def->op).second) << def->op;
    EXPECT_NE(def->infer, nullptr) << def->op;
    EXPECT_EQ(def->type.empty(), def->version.empty() && !def->version_of) << def->op;
  }
}

}  // namespace
}  // namespace mo

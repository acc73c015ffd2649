// Operations with batch, channels and spatial axes.
#include "tests/core/ops/samples.h"

namespace mo::test {
namespace {

Attributes window_attributes(size_t rank, NewAttributes more = {}) {
  Attributes out = channels_last(
      rank, {{"strides", Ints{2, 1}}, {"dilations", Ints{1, 2}}, {"pads_begin", Ints{1, 0}}, {"pads_end", Ints{0, 2}}});
  out.update(more);
  return out;
}

}  // namespace

Samples spatial_samples() {
  const SampleInput image = data({2, 9, 11, 6});
  const std::string same = "same_upper", ceil = "ceil";
  const Attributes roi = channels_last(4, {{"pooled_h", int64_t{3}}, {"pooled_w", int64_t{4}}, {"spatial_scale", 0.5}});
  const SampleInput block = numbers({1, 3, 2, 1}), some = numbers({0, 1, 0, 0}), none = numbers({0, 0, 1, 0});
  return {
      {"Convolution", {image, data({4, 6, 3, 5})}, window_attributes(4)},
      {"Convolution",
       {data({2, 5, 7, 9, 6}), data({4, 6, 3, 1, 2})},
       channels_last(5, {{"strides", Ints{2, 1, 3}}, {"auto_pad", same}})},
      {.op = "Convolution",
       .inputs = {data({2, 6, 9, 11}), data({4, 6, 3, 5})},
       .attributes = {{"strides", Ints{1, 1}}},
       .reshapes = true},
      {"GroupConvolution", {image, data({2, 4, 3, 3, 5})}, window_attributes(4)},
      {"ConvolutionBackpropData", {image, data({6, 4, 3, 5})}, window_attributes(4, {{"output_padding", Ints{1, 0}}})},
      {"ConvolutionBackpropData", {image, data({6, 4, 3, 5}), numbers({20, 13})}, window_attributes(4)},
      {"GroupConvolutionBackpropData", {image, data({2, 3, 4, 3, 5})}, window_attributes(4)},
      {"DeformableConvolution",
       {image, data({2, 4, 5, 30}), data({4, 6, 3, 5}), data({2, 4, 5, 15})},
       window_attributes(4, {{"group", int64_t{1}}, {"deformable_group", int64_t{1}}})},
      {"MaxPool", {image}, window_attributes(4, {{"kernel", Ints{3, 2}}, {"rounding_type", ceil}}), 2},
      {"AvgPool", {image}, window_attributes(4, {{"kernel", Ints{3, 2}}})},
      {"AdaptiveAvgPool", {image, numbers({4, 3})}, channels_last(4)},
      {"AdaptiveMaxPool", {image, numbers({4, 3})}, channels_last(4), 2},
      {"BatchNormInference", {image, data({6}), data({6}), data({6}), data({6})}, channels_last(4)},
      {"GroupNormalization", {image, data({6}), data({6})}, channels_last(4, {{"num_groups", int64_t{3}}})},
      {"ROIAlign", {image, data({8, 4}), data({8}, ElementType::I64)}, roi},
      {"ROIAlignRotated", {image, data({8, 5}), data({8}, ElementType::I64)}, roi},
      {"ROIPooling", {image, data({8, 5})}, roi},
      {"RegionYolo",
       {data({1, 50, 4, 6})},
       {{"classes", int64_t{20}}, {"coords", int64_t{4}}, {"num", int64_t{2}}, {"do_softmax", false}}},
      {"ReorgYolo", {data({2, 8, 12, 6})}, channels_last(4, {{"stride", int64_t{2}}})},
      {"PSROIPooling",
       {data({2, 9, 11, 18}), data({8, 5})},
       channels_last(4, {{"output_dim", int64_t{2}}, {"group_size", int64_t{3}}, {"spatial_scale", 0.5}})},
      {"PSROIPooling",
       {data({2, 9, 11, 24}), data({8, 5})},
       channels_last(4, {{"output_dim", int64_t{2}},
                         {"group_size", int64_t{5}},
                         {"spatial_bins_x", int64_t{4}},
                         {"spatial_bins_y", int64_t{3}},
                         {"mode", std::string("bilinear")},
                         {"spatial_scale", 0.5}})},
      {"DeformablePSROIPooling",
       {data({2, 9, 11, 18}), data({8, 5}), data({8, 7, 7, 2})},
       channels_last(4, {{"output_dim", int64_t{2}},
                         {"group_size", int64_t{3}},
                         {"mode", std::string("bilinear_deformable")},
                         {"spatial_scale", 0.5}})},
      {"Proposal",
       {data({2, 9, 11, 6}), data({2, 9, 11, 12}), data({3})},
       channels_last(4, {{"post_nms_topn", int64_t{20}}}),
       2},
      {"GenerateProposals",
       {data({2, 4}), data({9, 11, 3, 4}), data({2, 12, 9, 11}), data({2, 3, 9, 11})},
       {{"post_nms_count", int64_t{20}}},
       3},
      {"ExperimentalDetectronROIFeatureExtractor",
       {data({8, 4}), data({1, 6, 9, 11}), data({1, 6, 5, 6})},
       {{"output_size", int64_t{7}}, {"pyramid_scales", Ints{4, 8}}},
       2},
      {"GridSample", {image, data({2, 4, 5, 2})}, channels_last(4)},
      {"ExtractImagePatches",
       {image},
       channels_last(4, {{"sizes", Ints{3, 2}},
                         {"strides", Ints{2, 1}},
                         {"dilations", Ints{1, 2}},
                         {"auto_pad", std::string("valid")}})},
      {"SpaceToDepth", {data({2, 4, 10, 6})}, channels_last(4, {{"block_size", int64_t{2}}})},
      {"DepthToSpace", {data({2, 3, 5, 8})}, channels_last(4, {{"block_size", int64_t{2}}})},
      {"ExtractImagePatches",
       {image},
       window_attributes(4, {{"sizes", Ints{3, 2}}, {"auto_pad", std::string("valid")}})},
      {.op = "SpaceToBatch", .inputs = {data({2, 8, 11, 6}), block, some, none}, .batch_first = true},
      {.op = "BatchToSpace", .inputs = {data({12, 8, 11, 5}), block, some, none}, .batch_first = true},
      {"Interpolate",
       {image, numbers({8, 4}), floats({1, 1}), numbers({1, 3})},
       {{"shape_calculation_mode", std::string("sizes")}, {"pads_begin", Ints{0, 0, 1, 0}}, {"pads_end", Ints{2}}}},
      {"Interpolate",
       {image, numbers({1, 1, 1, 1}), floats({1, 2, 0.5F, 1})},
       {{"shape_calculation_mode", std::string("scales")}, {"pads_begin", Ints{}}, {"pads_end", Ints{0, 1, 0, 0}}}},
  };
}

}  // namespace mo::test

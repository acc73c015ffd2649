// Convolutions within a frame: it is an image, or several lines of one.

#include "core/front/kaldi/extract/extractor.h"

namespace mo::kaldi {
namespace {

/// Filters over patches of the lines that a frame consists of: of `PatchStride` elements, or one element of each line
/// after the other.
void extract_lines(Node& node, std::string_view filters_key, std::string_view bias_key, bool interleaved) {
  const OutPort x = frame(node);
  const int64_t size = size_of(node, "PatchDim"), step = size_of(node, "PatchStep"),
                line = size_of(node, "PatchStride");
  if (size > line) throw Error(Code::ShapeMismatch, msg("PatchDim is ", size, ", PatchStride ", line));
  const Constant filters = matrix_of(node, filters_key);
  const int64_t lines = times("the number of columns of the filters", filters.shape[1], "PatchDim", size);
  const Constant bias = vector_of(node, bias_key, filters.shape[0]);
  require_sizes(node, product("PatchStride", lines, line),
                product("PatchStride", 1 + (line - size) / step, filters.shape[0]));
  Builder b(node);
  const OutPort weights = b.constant(reshape(filters, {filters.shape[0], lines, size}));
  const OutPort row = b.constant(bias);
  become(node, "ConvolutionOfFrame", {x, weights, row},
         {{"shape", interleaved ? Ints{line, lines} : Ints{lines, line}},
          {"order", interleaved ? Ints{1, 0} : Ints{0, 1}},
          {"strides", Ints{step}}});
}

}  // namespace

void extract_convolution_of_lines(Node& node) { extract_lines(node, "Filters", "Bias", false); }
void extract_convolution_1d(Node& node) {
  extract_lines(node, "FilterParams", "BiasParams", node.get_bool("AppendedConv"));
}

/// The frame is an image X, Y, Z, of which Z are the channels: z changes fastest, or y.
void extract_image_convolution(Node& node) {
  const OutPort image = frame(node);
  const int64_t x = size_of(node, "InputXDim"), y = size_of(node, "InputYDim"), z = size_of(node, "InputZDim");
  const int64_t width = size_of(node, "FiltXDim"), height = size_of(node, "FiltYDim");
  const Ints strides{size_of(node, "FiltXStep"), size_of(node, "FiltYStep")};
  if (width > x || height > y)
    throw Error(Code::ShapeMismatch, msg("filters of ", width, " x ", height, " for an image of ", x, " x ", y));
  product("InputZDim", product("InputYDim", x, y), z);
  const Constant filters = matrix_of(node, "FilterParams", product("InputZDim", product("FiltYDim", width, height), z));
  const Constant bias = vector_of(node, "BiasParams", filters.shape[0]);
  const int64_t vectorization = size_of(node, "InputVectorization", 0);
  if (vectorization > 1) throw Error(Code::BadAttribute, msg("InputVectorization is ", vectorization));
  const bool channels_last = vectorization == 1;
  Builder b(node);
  const Constant weights = transpose(reshape(filters, {filters.shape[0], width, height, z}), {0, 3, 1, 2});
  const OutPort matrix = b.constant(weights), row = b.constant(bias);
  become(node, "ConvolutionOfFrame", {image, matrix, row},
         {{"shape", channels_last ? Ints{x, y, z} : Ints{x, z, y}},
          {"order", channels_last ? Ints{2, 0, 1} : Ints{1, 0, 2}},
          {"strides", strides}});
}

/// Filters over time and height. They lie in a grid, in which those that the model lacks are 0: lowered by
/// ReplaceTimeHeightConvolutionPattern.
void extract_time_height_convolution(Node& node) {
  const OutPort x = frame(node);
  const int64_t in = size_of(node, "NumFiltersIn"), out = size_of(node, "NumFiltersOut");
  const int64_t height_in = size_of(node, "HeightIn"), height_out = size_of(node, "HeightOut"),
                subsample = size_of(node, "HeightSubsampleOut");
  const Ints offsets = list_of(node, "Offsets"), required = list_of(node, "RequiredTimeOffsets");
  if (offsets.size() % 2 != 0) throw Error(Code::BadAttribute, msg("Offsets has ", offsets.size(), " numbers"));
  const auto count = static_cast<int64_t>(offsets.size() / 2);
  product("NumFiltersIn", height_in, in);
  product("NumFiltersOut", height_out, out);
  product("HeightSubsampleOut", height_out, subsample);
  const Constant weights = matrix_of(node, "LinearParams", product("NumFiltersIn", count, in));
  if (weights.shape[0] != out)
    throw Error(Code::ShapeMismatch, msg("LinearParams has ", weights.shape[0], " rows, want ", out));
  const Constant bias = vector_of(node, "BiasParams", out);
  Builder b(node);
  const OutPort matrix = b.constant(weights), row = b.constant(bias);
  become(node, "timeheightconvolutioncomponent", {x, matrix, row},
         {{"offsets", offsets},
          {"time_offsets", required},
          {"height_in", height_in},
          {"height_out", height_out},
          {"height_subsample", subsample},
          {"in_channels", in},
          {"out_channels", out}});
}

}  // namespace mo::kaldi

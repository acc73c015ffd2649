// Grids, and operators that move the elements of pictures.

#include "core/base/text.h"
#include "core/front/paddle/extract/window.h"

namespace mo::paddle {
namespace {

int64_t positive(const Node& node, std::string_view attribute, int64_t otherwise = 0) {
  const int64_t value = node.get_int(attribute, otherwise);
  if (value < 1 || value > INT32_MAX) throw Error(Code::BadAttribute, msg(attribute, " is ", value));
  return value;
}

void extract_depth(Node& node, const char* op, std::string_view factor) {
  const bool last = channels_last(node);
  const int64_t size = positive(node, factor, 1);
  become(node, op, {required(node, "X")}, {{"block_size", size}, {"mode", "depth_first"}});
  if (last) set_last_channels(node, 2);
}

void extract_shuffle(Node& node, std::string_view groups) {
  const int64_t axis = channels_last(node) ? -1 : 1, group = positive(node, groups, 1);
  become(node, "ShuffleChannels", {required(node, "X")}, {{"axis", axis}, {"group", group}});
}

/// Windows along both axes: paddings are of both ends, or top, left, bottom, right.
Attributes patch_attributes(const Node& node) {
  Ints pads = ints_of(node, "paddings");
  if (pads.size() != 4) {
    pads = numbers_of(node, "paddings", 2, 0);
    pads.insert(pads.end(), {pads[0], pads[1]});
  }
  return {{"strides", numbers_of(node, "strides", 2, 1)},
          {"dilations", numbers_of(node, "dilations", 2, 1)},
          {"pads", pads}};
}

}  // namespace

/// Pictures or volumes.
void extract_grid_sampler(Node& node) {
  const std::string mode = node.get_string("mode", "bilinear");
  if (mode != "bilinear" && mode != "nearest") throw Error(Code::BadAttribute, msg("mode is '", printable(mode), "'"));
  become(node, "GridSampleONNX", {required(node, "X"), required(node, "Grid")},
         {{"mode", mode},
          {"padding_mode", node.get_string("padding_mode", "zeros")},
          {"align_corners", node.get_bool("align_corners", true)}},
         {"Output"});
}

/// The number of pictures is that of the matrices, whatever the shape says.
void extract_affine_grid(Node& node) {
  const OutPort theta = required(node, "Theta"), shape = input(node, "OutputShape")
                                                             ? int_list(node, "OutputShape", {}, {})
                                                             : sizes_of(node, "output_shape");
  if (!shape) throw Error(Code::MissingAttribute, "output_shape");
  Builder b(node);
  const OutPort rest = b.op("Slice", {shape, b.i64({1}), b.i64({INT64_MAX}), b.i64({1}), b.i64({0})});
  const OutPort size = b.concat({b.dims_of(theta, {0}), rest}, 0);
  become(node, "AffineGrid", {theta, size}, {{"align_corners", node.get_bool("align_corners", true)}}, {"Output"});
}

void extract_pixel_shuffle(Node& node) { extract_depth(node, "DepthToSpace", "upscale_factor"); }
void extract_pixel_unshuffle(Node& node) { extract_depth(node, "SpaceToDepth", "downscale_factor"); }
void extract_channel_shuffle(Node& node) { extract_shuffle(node, "groups"); }
void extract_shuffle_channel(Node& node) { extract_shuffle(node, "group"); }

/// The order of elements is that of Darknet's reorg.
void extract_space_to_depth(Node& node) {
  const int64_t stride = positive(node, "blocksize");
  become(node, "ReorgYolo", {required(node, "X")}, {{"stride", stride}});
}

/// The largest of each group of neighbouring channels.
void extract_maxout(Node& node) {
  const int64_t groups = positive(node, "groups"), axis = node.get_int("axis", 1);
  if (groups > 256) throw Error(Code::UnsupportedForm, msg(groups, " groups"));
  Builder b(node);
  const OutPort x = required(node, "X"), step = b.i64({groups}), at = b.i64({axis});
  OutPort y;
  for (int64_t i = 0; i < groups; ++i) {
    const OutPort part = b.op("Slice", {x, b.i64({i}), b.i64({INT64_MAX}), step, at});
    y = y ? b.op("Maximum", {y, part}) : part;
  }
  give(node, {{"Out", y}});
}

void extract_temporal_shift(Node& node) {
  const int64_t length = positive(node, "seg_num");
  const double ratio = node.get_float("shift_ratio", 0.25);
  if (!(ratio >= 0 && ratio <= 0.5)) throw Error(Code::BadAttribute, msg("shift_ratio is ", ratio));
  const bool last = channels_last(node);
  become(node, "TemporalShift", {required(node, "X")}, {{"length", length}, {"ratio", ratio}, {"channels_last", last}});
}

void extract_unfold(Node& node) {
  Attributes attributes = patch_attributes(node);
  attributes.set("kernel_shape", numbers_of(node, "kernel_sizes", 2, 1));
  become(node, "Patches", {required(node, "X")}, std::move(attributes), {"Y"});
}

void extract_fold(Node& node) {
  Attributes attributes = patch_attributes(node);
  Builder b(node);
  const OutPort x = required(node, "X"), image = sizes_of(node, "output_sizes"),
                block = b.i64(numbers_of(node, "kernel_sizes", 2, 1));
  if (!image) throw Error(Code::MissingAttribute, "output_sizes");
  become(node, "Col2Im", {x, image, block}, std::move(attributes), {"Y"});
}

/// Each patch is a row; the rows of all pictures follow one another.
void extract_im2sequence(Node& node) {
  if (input(node, "Y")) throw Error(Code::UnsupportedForm, "pictures of several sizes");
  Attributes attributes = patch_attributes(node);
  attributes.set("kernel_shape", numbers_of(node, "kernels", 2, 1));
  Builder b(node);
  const OutPort patches = b.op("Patches", {required(node, "X")}, std::move(attributes));
  const OutPort rows = b.transpose(patches, {0, 2, 1});
  const OutPort width = b.dims_of(rows, {2});
  give(node, {{"Out", b.op("Reshape", {rows, b.concat({b.i64({-1}), width}, 0)}, {{"special_zero", false}})}});
}

/// Sums over a row and those to come; the rows of one sequence, or of a batch.
void extract_row_conv(Node& node) { become(node, "RowConv", {required(node, "X"), required(node, "Filter")}); }

/// Sines and cosines of the positions in one sequence, or in each of a batch.
void extract_add_position_encoding(Node& node) {
  become(node, "PositionEncoding", {required(node, "X")},
         {{"alpha", node.get_float("alpha", 1)}, {"beta", node.get_float("beta", 1)}});
}

/// x * W * y for each matrix of W.
void extract_bilinear_tensor_product(Node& node) {
  Builder b(node);
  const OutPort x = required(node, "X"), y = required(node, "Y"), weights = required(node, "Weight");
  const OutPort products = b.op("Mul", {b.matmul({x, weights}), y});
  OutPort out = b.transpose(b.reduce("ReduceSum", products, {-1}, false), {1, 0});
  if (const OutPort bias = input(node, "Bias")) out = b.op("Add", {out, bias});
  give(node, {{"Out", out}});
}

}  // namespace mo::paddle

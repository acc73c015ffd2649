// Tensors sampled at places that are computed, deformable convolutions, and Fourier's transform.

#include "core/front/mxnet/extract/window.h"

namespace mo::mxnet {
namespace {

/// A grid [batch, 2, height, width], x before y, as IR has it: [batch, height, width, 2], and back.
OutPort with_pairs_last(Builder& b, OutPort grid) { return b.transpose(grid, {0, 2, 3, 1}); }
OutPort with_pairs_first(Builder& b, OutPort grid) { return b.transpose(grid, {0, 3, 1, 2}); }

/// The positions to which a matrix of 6 numbers maps those of a picture of that size; both in -1…1.
OutPort affine_grid(Builder& b, OutPort matrix, OutPort sizes) {
  const OutPort theta = b.reshape(matrix, {-1, 2, 3}, false);
  const OutPort all = b.concat({b.dims_of(theta, {0, 1}), sizes}, 0);
  return b.op("AffineGrid", {theta, all}, {{"align_corners", true}});
}

void become_sample(Node& node, OutPort x, OutPort grid) {
  become(node, "GridSampleONNX", {x, grid}, {{"align_corners", true}, {"mode", "linear"}, {"padding_mode", "zeros"}});
}

Ints target_of(const Node& node) {
  const Ints size = ints_of(node, "target_shape", {0, 0});
  if (size.size() != 2 || size[0] < 0 || size[1] < 0) throw Error(Code::BadAttribute, "target_shape is not two sizes");
  return size;
}

void deform(Node& node, bool modulated) {
  const int weights = modulated ? 3 : 2;
  std::vector<OutPort> sources{required(node, 0), required(node, weights), required(node, 1), {}, {}};
  if (!bool_of(node, "no_bias")) sources[3] = required(node, weights + 1);
  if (modulated) sources[4] = required(node, 2);
  const SpatialWindow window = window_of(node);
  while (!sources.back()) sources.pop_back();
  become(node, "DeformConv", sources,
         {{"group", limited_int(node, "num_group", 1, 1)},
          {"offset_group", limited_int(node, "num_deformable_group", 1, 1)},
          {"bilinear_interpolation_pad", modulated}});
  window.set(node);
}

}  // namespace

void extract_grid_generator(Node& node) {
  const OutPort x = required(node, 0);
  const std::string type = choice_of(node, "transform_type", "", {"affine", "warp"});
  if (type == "warp") return become(node, "WarpGrid", {x});
  const Ints size = target_of(node);
  Builder b(node);
  give(node, {with_pairs_first(b, affine_grid(b, x, b.i64(size)))});
}

void extract_bilinear_sampler(Node& node) {
  const OutPort x = required(node, 0), grid = required(node, 1);
  Builder b(node);
  become_sample(node, x, with_pairs_last(b, grid));
}

void extract_spatial_transformer(Node& node) {
  const OutPort x = required(node, 0), matrix = required(node, 1);
  const Ints size = target_of(node);
  Builder b(node);
  const OutPort sizes = size[0] > 0 && size[1] > 0 ? b.i64(size) : b.dims_of(x, {2, 3});
  become_sample(node, x, affine_grid(b, matrix, sizes));
}

void extract_deformable_convolution(Node& node) { deform(node, false); }
void extract_modulated_deformable_convolution(Node& node) { deform(node, true); }

namespace {

/// What is left of a padded picture from these offsets on, and as far from its ends.
OutPort shifted(Builder& b, OutPort x, int64_t most, int64_t down, int64_t right) {
  const auto end = [&](int64_t shift) { return most == shift ? INT64_MAX : shift - most; };
  if (most == 0) return x;
  const OutPort start = b.i64({most + down, most + right}), stop = b.i64({end(down), end(right)});
  const OutPort step = b.i64({1, 1}), axes = b.i64({2, 3});
  return b.op("Slice", {x, start, stop, step, axes});
}

OutPort padded(Builder& b, OutPort x, int64_t pad) {
  if (pad == 0) return x;
  const OutPort begin = b.i64({0, 0, pad, pad}), end = b.i64({0, 0, pad, pad}), zero = b.scalar_like(x, 0);
  return b.op("Pad", {x, begin, end, zero}, {{"mode", "constant"}});
}

}  // namespace

/// For each displacement the averages of products, or of differences, of windows of two pictures.
void extract_correlation(Node& node) {
  OutPort first = required(node, 0), second = required(node, 1);
  const int64_t kernel = limited_int(node, "kernel_size", 1, 1, 255);
  const int64_t most = limited_int(node, "max_displacement", 1, 0, 1 << 16);
  const int64_t stride = limited_int(node, "stride1", 1, 1, 1 << 16),
                step = limited_int(node, "stride2", 1, 1, 1 << 16);
  const int64_t pad = limited_int(node, "pad_size", 0, 0, 1 << 16), reach = most / step;
  const bool multiply = bool_of(node, "is_multiply", true);
  constexpr int64_t kMostReach = 20;
  if (reach > kMostReach) throw Error(Code::UnsupportedForm, msg(reach, " displacements in each direction"));
  Builder b(node);
  first = padded(b, first, pad);
  second = padded(b, second, pad);
  const OutPort still = shifted(b, first, most, 0, 0);
  std::vector<OutPort> channels;
  for (int64_t down = -reach; down <= reach; ++down)
    for (int64_t right = -reach; right <= reach; ++right) {
      const OutPort moved = shifted(b, second, most, down * step, right * step);
      const OutPort each = multiply ? b.op("Mul", {still, moved}) : b.op("Abs", {b.op("Sub", {still, moved})});
      channels.push_back(b.op("ReduceMean", {each}, Attributes{{"axes", Ints{1}}, {"keep_dims", true}}));
    }
  const OutPort all = channels.size() == 1 ? channels[0] : b.concat(channels, 1);
  if (kernel == 1 && stride == 1) return give(node, {all});
  become(node, "Pooling", {all},
         {{"pool_method", "avg"}, {"kernel_shape", Ints{kernel, kernel}}, {"strides", Ints{stride, stride}}});
}

void extract_fft(Node& node) { become(node, "InterleavedSpectrum", {required(node, 0)}); }
void extract_ifft(Node& node) { become(node, "RealOfSpectrum", {required(node, 0)}); }

}  // namespace mo::mxnet

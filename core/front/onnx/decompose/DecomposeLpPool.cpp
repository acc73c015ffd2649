// Before: y = LpPool(x) {p, kernel_shape, strides, pads, dilations, ceil_mode…}
// After:  y = (sum over the window of |x| ^ p) ^ (1 / p), where the sum is a Convolution of each channel with ones, or
//         a GroupConvolution if the data is not [N, C, spatial…]
// Before: y = LpPool(x) {global_pool: 1, p}
// After:  y = (ReduceSum(|x| ^ p, spatial axes)) ^ (1 / p), or ReduceL1, ReduceL2; with kept dimensions
// Conditions: 1 to 3 spatial dimensions; a known number of channels for a GroupConvolution.

#include "core/decompose/window.h"
#include "core/ops/spatial.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeLpPool final : public Decomposition {
 public:
  Names ops() const override { return {"LpPool"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0);
    if (!x) throw Error(Code::MissingInput, "input 0");
    const double p = node.get_float("p", 2);
    if (!(p > 0)) throw Error(Code::BadAttribute, cat("p is ", p));
    if (node.get_bool("global_pool")) {
      const OutPort axes = spatial_axes_input(b, node, x);
      if (p == 1 || p == 2) return {b.op(p == 1 ? "ReduceL1" : "ReduceL2", {x, axes}, {{"keep_dims", true}})};
      return {root(b, b.op("ReduceSum", {power(b, x, p), axes}, {{"keep_dims", true}}), p)};
    }
    if (!node.has("kernel_shape")) throw Error(Code::MissingAttribute, "kernel_shape");
    return {root(b, window_sum(b, node, power(b, x, p)), p)};
  }

 private:
  static OutPort power(Builder& b, OutPort x, double p) {
    const OutPort positive = b.op("Abs", {x});
    return p == 1 ? positive : b.op("Pow", {positive, b.scalar_like(x, p)});
  }
  static OutPort root(Builder& b, OutPort x, double p) {
    return p == 1 ? x : p == 2 ? b.op("Sqrt", {x}) : b.op("Pow", {x, b.scalar_like(x, 1 / p)});
  }

  static OutPort window_sum(Builder& b, const Node& node, OutPort x) {
    const SpatialDims dims = data_dims_of(node);
    const size_t axes = dims.spatial.size();
    const Ints kernel = ints_of_axes(node, "kernel_shape", axes, 1);
    Attributes window = window_attributes(node, axes);
    const Ints cut = node.get_int("ceil_mode") != 0 ? round_up(x.tensor().shape, dims, kernel, window) : Ints(axes, -1);
    const auto within = [&](OutPort sums) {
      for (size_t i = 0; i < axes; ++i)
        if (cut[i] >= 0)
          sums = without_windows_in_padding(b, sums, x, dims.spatial[i], cut[i], (*window.get_if<Ints>("strides"))[i]);
      return sums;
    };
    Shape ones{1, 1}, single{-1, 1};
    ones.insert(ones.end(), kernel.begin(), kernel.end());
    if (node.has("channel_dims")) {
      const PartialShape& shape = x.tensor().shape;
      const Dimension channels = shape.has_rank() ? shape[dims.channel] : kAnyDimension;
      if (!channels.is_exact()) throw Error(Code::UnsupportedForm, "an unknown number of channels");
      ones.insert(ones.begin(), channels.min);
      return within(b.op("GroupConvolution", {x, b.constant(make_splat(x.tensor().type, ones, 1))}, window));
    }
    single.resize(axes + 2, 0);
    const OutPort weights = b.constant(make_splat(x.tensor().type, ones, 1));
    const OutPort sums = within(b.op("Convolution", {b.reshape(x, single), weights}, window));
    return b.op("Reshape", {sums, b.concat({b.dims_of(x, {0, 1}), b.i64(Ints(axes, 0))}, 0)}, {{"special_zero", true}});
  }

  /// Widens the padding at the end so that rounding down gives the result of ceil_mode. Where a last window may start
  /// in the padding, which depends on an unknown size, it is to be cut off: then the result has the padding at the
  /// beginning, else -1.
  static Ints round_up(const PartialShape& shape, const SpatialDims& dims, const Ints& kernel, Attributes& window) {
    Ints cut(kernel.size(), -1);
    if (*window.get_if<std::string>("auto_pad") != "explicit") return cut;
    const Ints& strides = *window.get_if<Ints>("strides");
    Ints end = *window.get_if<Ints>("pads_end");
    for (size_t i = 0; i < kernel.size(); ++i) {
      SpatialWindow axis;
      axis.kernel = kernel[i], axis.stride = strides[i], axis.dilation = (*window.get_if<Ints>("dilations"))[i];
      axis.pad_begin = (*window.get_if<Ints>("pads_begin"))[i], axis.pad_end = end[i];
      axis.rounding = SpatialWindow::Rounding::CeilTorch;
      const Dimension input = shape.has_rank() ? shape[dims.spatial[i]] : kAnyDimension;
      if (input.is_exact()) {
        end[i] = ((axis.output(input) - 1) * strides[i] + axis.extent() - input - axis.pad_begin).min;
      } else {
        if ((Interval(end[i]) + strides[i]).max > axis.extent().min) cut[i] = axis.pad_begin;
        end[i] += strides[i] - 1;
      }
    }
    window.set("pads_end", end);
    return cut;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeLpPool)
}  // namespace mo

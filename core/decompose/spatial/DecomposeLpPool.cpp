// Before: y = LpPool(x) {p, kernel_shape, strides, pads, dilations, ceil_mode…}
// After:  y = (sum over the window of |x| ^ p) ^ (1 / p), where the sum is a Convolution of each channel with ones, or
//         a GroupConvolution if the data is not [N, C, spatial…]
// Before: y = LpPool(x) {global_pool: 1, p}
// After:  y = (ReduceSum(|x| ^ p, spatial axes)) ^ (1 / p), or ReduceL1, ReduceL2; with kept dimensions
// Conditions: 1 to 3 spatial dimensions; a known number of channels for a GroupConvolution.

#include "core/decompose/spatial/window.h"
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
    if (!(p > 0)) throw Error(Code::BadAttribute, msg("p is ", p));
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
    SpatialWindow window(node, axes);
    const std::vector<char> surplus = round_down(window, spatial_sizes(x.tensor().shape, dims));
    const Attributes attributes = window_attributes(node, window);
    const auto within = [&](OutPort sums) {
      for (size_t i = 0; i < axes; ++i)
        if (surplus[i])
          sums = without_windows_in_padding(b, sums, x, dims.spatial[i], window.pads_begin[i], window.strides[i]);
      return sums;
    };
    Shape ones{1, 1}, single{-1, 1};
    ones.insert(ones.end(), window.kernel.begin(), window.kernel.end());
    if (node.has("channel_dims")) {
      const PartialShape& shape = x.tensor().shape;
      const Dimension channels = shape.has_rank() ? shape[dims.channel] : kAnyDimension;
      if (!channels.is_exact()) throw Error(Code::UnsupportedForm, "an unknown number of channels");
      ones.insert(ones.begin(), channels.min);
      return within(b.op("GroupConvolution", {x, b.constant(make_splat(x.tensor().type, ones, 1))}, attributes));
    }
    single.resize(axes + 2, 0);
    const OutPort weights = b.constant(make_splat(x.tensor().type, ones, 1));
    const OutPort sums = within(b.op("Convolution", {b.reshape(x, single), weights}, attributes));
    return b.op("Reshape", {sums, b.concat({b.dims_of(x, {0, 1}), b.i64(Ints(axes, 0))}, 0)}, {{"special_zero", true}});
  }

  /// A Convolution rounds down: widens the padding at the end until that gives the windows of ceil_mode. Says for each
  /// axis whether there may be windows more than that.
  static std::vector<char> round_down(SpatialWindow& window, const std::vector<Dimension>& sizes) {
    std::vector<char> surplus(window.axes(), 0);
    if (window.rounding == Rounding::Floor || window.auto_pad != AutoPad::Explicit) return surplus;
    for (size_t i = 0; i < window.axes(); ++i) {
      const WindowAxis::Fit fit = window.axis(i).rounded_down(sizes[i]);
      window.pads_end[i] = fit.pad_end;
      surplus[i] = fit.surplus;
    }
    return surplus;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeLpPool)
}  // namespace mo

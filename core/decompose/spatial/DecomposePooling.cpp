// Before: y, indices = Pooling(x) {pool_method: max | avg, kernel_shape, strides, pads, ceil_mode…}
// After:  y, indices = MaxPool(x) or y = AvgPool(x)
// Before: y = Pooling(x) {pool_method, global_pool: 1}
// After:  y = ReduceMax or ReduceMean(x, spatial axes), with kept dimensions
// Conditions: 1 to 3 spatial dimensions. Indices are positions in the whole tensor in the framework's memory order;
// ONNX's storage_order may reverse the spatial axes.

#include <algorithm>

#include "core/decompose/spatial/window.h"
#include "core/ops/spatial.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposePooling final : public Decomposition {
 public:
  Names ops() const override { return {"Pooling"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const bool is_max = node.get_string("pool_method") == "max";
    const OutPort x = node.source(0);
    if (!x) throw Error(Code::MissingInput, "input 0");
    if (node.get_bool("global_pool"))
      return {b.op(is_max ? "ReduceMax" : "ReduceMean", {x, spatial_axes_input(b, node, x)}, {{"keep_dims", true}})};

    if (!node.has("kernel_shape")) throw Error(Code::MissingAttribute, "kernel_shape");
    const SpatialDims dims = data_dims_of(node);
    SpatialWindow window(node, dims.spatial.size());
    const std::vector<Dimension> sizes = spatial_sizes(x.tensor().shape, dims);
    window.pad_known_sizes(sizes, {window.kernel.begin(), window.kernel.end()});
    const Ints none(window.axes(), 0);
    if (window.counted == Counted::Mirrored && !is_max) mirror(window, sizes);
    const bool rounds_up = (window.rounding != Rounding::Floor && window.auto_pad == AutoPad::Explicit) ||
                           window.counted == Counted::Mirrored;
    // Without padding only the data is counted.
    if (rounds_up && window.counted == Counted::Padding && window.pads_begin == none && window.pads_end == none)
      window.counted = Counted::Data;
    if (!is_max && rounds_up && window.counted != Counted::Data)
      return {average_of_more_than_data(b, node, dims, window)};
    Attributes attributes = pool_attributes(node, window.in_ir(sizes));
    if (!is_max) {
      attributes.set("exclude_pad", window.counted == Counted::Data);
      return {b.op("AvgPool", {x}, attributes)};
    }
    const bool indices = node.out_count() > 1 && !node.out(1).disconnected();
    if (!indices) {
      const OutPort y = b.op("MaxPool", {x}, attributes);
      return node.out_count() > 1 ? std::vector<OutPort>{y, {}} : std::vector<OutPort>{y};
    }
    attributes.set("index_element_type", ElementType::I64);
    attributes.set("axis", int64_t{0});
    Node& pool = b.node("MaxPool", {x}, attributes, 2);
    Axes from(dims.spatial.rbegin(), dims.spatial.rend()), to = from;
    if (node.get_int("storage_order") != 0) to.assign(dims.spatial.begin(), dims.spatial.end());
    if (dims.channel > dims.spatial[0]) from.push_back(dims.channel), to.insert(to.begin(), dims.channel);
    return {pool.out(0), from == to ? pool.out(1) : counted_as(b, x, pool.out(1), from, to)};
  }

 private:
  static Attributes pool_attributes(const Node& node, const SpatialWindow& window) {
    Attributes attributes = window_attributes(node, window);
    attributes.set("kernel", window.kernel);
    attributes.set("rounding_type", std::string(name_of(window.rounding)));
    return attributes;
  }

  /// Unless windows are rounded down, elements beyond the padding are not counted, although padding is; runtimes differ
  /// there. So the padding is widened until all windows fit, and the average, divided by too many elements, is
  /// corrected, unless the whole kernel counts. Where the last window may start in the padding, the padding is a Pad,
  /// because runtimes refuse windows that cover nothing else; if the rule does not have that window, which depends on
  /// an unknown size, it is cut off.
  static OutPort average_of_more_than_data(Builder& b, const Node& node, const SpatialDims& dims,
                                           const SpatialWindow& window) {
    const OutPort x = node.source(0);
    const Ints &begin = window.pads_begin, &end = window.pads_end;
    const bool corrected = window.counted != Counted::Kernel;
    const Ints& counted_end = window.counted == Counted::Mirrored ? begin : end;
    SpatialWindow own = window;
    own.rounding = Rounding::Floor;
    Ints wide = end, pad_begin(dims.rank(), 0), pad_end(dims.rank(), 0);
    const std::vector<Dimension> sizes = spatial_sizes(x.tensor().shape, dims);
    std::vector<size_t> cut;
    bool is_apart = false;
    for (size_t i = 0; i < window.axes(); ++i) {
      const WindowAxis::Fit fit = window.axis(i).rounded_down(sizes[i]);
      own.pads_end[i] = wide[i] = std::max<int64_t>(0, fit.pad_end);
      if (corrected && sizes[i].is_exact() && fit.pad_end >= window.axis(i).extent().min + counted_end[i])
        throw Error(Code::UnsupportedForm, msg("a window that covers nothing of ", sizes[i].min, " elements"));
      if (fit.surplus) cut.push_back(i);
      if (!fit.bare) continue;
      is_apart = true;
      pad_begin[dims.spatial[i]] = begin[i], pad_end[dims.spatial[i]] = wide[i];
      own.pads_begin[i] = own.pads_end[i] = 0;
    }
    Attributes attributes = pool_attributes(node, own);
    attributes.set("exclude_pad", false);
    const OutPort padded =
        !is_apart ? x : b.op("Pad", {x, b.i64(pad_begin), b.i64(pad_end), b.scalar_like(x, 0)}, {{"mode", "constant"}});
    OutPort y = b.op("AvgPool", {padded}, attributes);
    for (const size_t i : cut) y = without_windows_in_padding(b, y, x, dims.spatial[i], begin[i], window.strides[i]);
    for (size_t i = 0; i < window.axes() && corrected; ++i) {
      WindowAxis counted = window.axis(i);
      counted.pad_end = counted_end[i];
      if (wide[i] > counted.pad_end) y = divided_by_fewer(b, y, x, dims.spatial[i], dims.rank(), counted);
    }
    return y;
  }

  /// Makes the padding explicit. If it is the same at both ends, all of it is counted.
  static void mirror(SpatialWindow& window, const std::vector<Dimension>& sizes) {
    for (size_t i = 0; i < window.axes() && window.is_same(); ++i) {
      const auto total = window.axis(i).same_padding(sizes[i]);
      if (!total) throw Error(Code::UnsupportedForm, "averages that count padding of unknown size");
      window.pads_begin[i] = window.auto_pad == AutoPad::SameUpper ? *total / 2 : *total - *total / 2;
      window.pads_end[i] = *total - window.pads_begin[i];
    }
    window.auto_pad = AutoPad::Explicit;
    if (window.pads_begin == window.pads_end) window.counted = Counted::Padding;
  }

  /// The averages y of x along `axis`, as if the windows ended where the padded data does.
  static OutPort divided_by_fewer(Builder& b, OutPort y, OutPort x, size_t axis, size_t rank,
                                  const WindowAxis& window) {
    const Ints at{static_cast<int64_t>(axis)};
    const OutPort total = b.op("Add", {b.dims_of(x, at), b.i64({window.pad_begin + window.pad_end})}),
                  one = b.i64_scalar(1);
    const OutPort windows =
        b.op("Range", {b.i64_scalar(0), b.squeeze(b.dims_of(y, at), {0}), one}, {{"output_type", ElementType::I64}});
    const OutPort left = b.op("Sub", {total, b.op("Mul", {windows, b.i64({window.stride})})});
    const OutPort taps =
        b.op("Minimum", {b.op("Div", {b.op("Add", {left, b.i64({window.dilation - 1})}), b.i64({window.dilation})}),
                         b.i64({window.kernel.min})});
    const OutPort back =
        b.op("Div", {b.f32_scalar(static_cast<float>(window.kernel.min)), b.convert(taps, ElementType::F32)});
    Ints aligned(rank - axis, 1);
    aligned[0] = -1;
    const OutPort factor =
        x.tensor().type == ElementType::Unknown ? b.op("ConvertLike", {back, x}) : b.convert(back, x.tensor().type);
    return b.op("Mul", {y, b.reshape(factor, aligned, false)});
  }

  using Axes = std::vector<size_t>;
  /// IR's indices count the axes `from` of x, the first of them fastest. The result counts the axes `to`, the same in
  /// another order. The remaining axes count slowest in both.
  static OutPort counted_as(Builder& b, OutPort x, OutPort indices, const Axes& from, const Axes& to) {
    OutPort left = indices, sum, faster, places[5], sizes[5];
    for (const size_t axis : from) {
      const OutPort size = sizes[axis] = b.squeeze(b.dims_of(x, {static_cast<int64_t>(axis)}), {0});
      places[axis] = b.op("FloorMod", {left, size});
      left = b.op("Div", {left, size});
    }
    for (const size_t axis : to) {
      const OutPort part = faster ? b.op("Mul", {places[axis], faster}) : places[axis];
      sum = sum ? b.op("Add", {sum, part}) : part;
      faster = faster ? b.op("Mul", {faster, sizes[axis]}) : sizes[axis];
    }
    return b.op("Add", {b.op("Mul", {left, faster}), sum});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposePooling)
}  // namespace mo

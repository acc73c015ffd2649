// Before: y, indices = Pooling(x) {pool_method: max | avg, kernel_shape, strides, pads, ceil_mode…}
// After:  y, indices = MaxPool(x) or y = AvgPool(x)
// Before: y = Pooling(x) {pool_method, global_pool: 1}
// After:  y = ReduceMax or ReduceMean(x, spatial axes), with kept dimensions
// Conditions: 1 to 3 spatial dimensions. Indices are positions in the whole tensor in the framework's memory order;
// ONNX's storage_order may reverse the spatial axes.

#include <algorithm>

#include "core/decompose/window.h"
#include "core/ops/spatial.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

/// In ONNX no window starts in the padding at the end; with IR's "ceil" one may. "ceil_torch" has ONNX's meaning but
/// needs a newer runtime: it is used only where the two differ.
std::string pool_rounding(const Node& node, const Attributes& window, const Ints& kernel) {
  if (node.get_int("ceil_mode") == 0) return "floor";
  const Ints& strides = *window.get_if<Ints>("strides");
  const Ints& dilations = *window.get_if<Ints>("dilations");
  const Ints& end = *window.get_if<Ints>("pads_end");
  for (size_t i = 0; i < kernel.size(); ++i)
    if ((Interval(end[i]) + strides[i]).max > ((Interval(kernel[i]) - 1) * dilations[i] + 1).min) return "ceil_torch";
  return "ceil";
}

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
    const size_t axes = dims.spatial.size();
    const Ints kernel = ints_of_axes(node, "kernel_shape", axes, 1);
    Attributes attributes = window_attributes(node, axes);
    pad_known_sizes(x.tensor().shape, dims, {kernel.begin(), kernel.end()}, attributes);
    attributes.set("kernel", kernel);
    attributes.set("rounding_type", pool_rounding(node, attributes, kernel));
    if (!is_max) {
      const bool include = node.get_int("count_include_pad") != 0;
      attributes.set("exclude_pad", !include);
      if (!include || *attributes.get_if<std::string>("rounding_type") == "floor" ||
          *attributes.get_if<std::string>("auto_pad") != "explicit")
        return {b.op("AvgPool", {x}, attributes)};
      return {ceil_average_with_padding(b, x, dims, attributes)};
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
  /// With ceil rounding, elements beyond the padding are not counted, although padding is; runtimes differ there. So
  /// the padding is widened until all windows fit, and the average, divided by too many elements, is corrected. Where
  /// the last window may start in the padding, which depends on an unknown size, it is cut off; its padding is a Pad,
  /// because runtimes refuse windows that cover nothing else.
  static OutPort ceil_average_with_padding(Builder& b, OutPort x, const SpatialDims& dims, Attributes& attributes) {
    const Ints kernel = *attributes.get_if<Ints>("kernel"), begin = *attributes.get_if<Ints>("pads_begin"),
               end = *attributes.get_if<Ints>("pads_end");
    const Ints strides = *attributes.get_if<Ints>("strides"), dilations = *attributes.get_if<Ints>("dilations"),
               none(kernel.size(), 0);
    if (begin == none && end == none) {
      attributes.set("exclude_pad", true);
      return b.op("AvgPool", {x}, attributes);
    }
    Ints wide = end, own_begin = begin, own_end = end, pad_begin(dims.rank(), 0), pad_end(dims.rank(), 0);
    std::vector<size_t> cut;
    for (size_t i = 0; i < kernel.size(); ++i) {
      SpatialWindow window;
      window.kernel = kernel[i], window.stride = strides[i], window.dilation = dilations[i];
      window.pad_begin = begin[i], window.pad_end = end[i], window.rounding = SpatialWindow::Rounding::CeilTorch;
      const PartialShape& shape = x.tensor().shape;
      const Dimension size = shape.has_rank() ? shape[dims.spatial[i]] : kAnyDimension;
      if (size.is_exact())
        wide[i] =
            std::max<int64_t>(0, ((window.output(size) - 1) * strides[i] + window.extent() - begin[i] - size).min);
      else
        wide[i] += strides[i] - 1;
      own_end[i] = wide[i];
      if (size.is_exact() || (Interval(end[i]) + strides[i]).max <= window.extent().min) continue;
      cut.push_back(i);
      pad_begin[dims.spatial[i]] = begin[i], pad_end[dims.spatial[i]] = wide[i];
      own_begin[i] = own_end[i] = 0;
    }
    attributes.set("pads_begin", own_begin);
    attributes.set("pads_end", own_end);
    attributes.set("rounding_type", std::string("floor"));
    const OutPort padded =
        cut.empty() ? x
                    : b.op("Pad", {x, b.i64(pad_begin), b.i64(pad_end), b.scalar_like(x, 0)}, {{"mode", "constant"}});
    OutPort y = b.op("AvgPool", {padded}, attributes);
    for (const size_t i : cut) y = without_windows_in_padding(b, y, x, dims.spatial[i], begin[i], strides[i]);
    for (size_t i = 0; i < kernel.size(); ++i) {
      if (wide[i] <= end[i]) continue;
      const Ints axis{static_cast<int64_t>(dims.spatial[i])};
      const OutPort total = b.op("Add", {b.dims_of(x, axis), b.i64({begin[i] + end[i]})}), one = b.i64_scalar(1);
      const OutPort windows = b.op("Range", {b.i64_scalar(0), b.squeeze(b.dims_of(y, axis), {0}), one},
                                   {{"output_type", ElementType::I64}});
      const OutPort left = b.op("Sub", {total, b.op("Mul", {windows, b.i64({strides[i]})})});
      const OutPort taps = b.op(
          "Minimum",
          {b.op("Div", {b.op("Add", {left, b.i64({dilations[i] - 1})}), b.i64({dilations[i]})}), b.i64({kernel[i]})});
      const OutPort back =
          b.op("Div", {b.f32_scalar(static_cast<float>(kernel[i])), b.convert(taps, ElementType::F32)});
      Ints aligned(dims.rank() - dims.spatial[i], 1);
      aligned[0] = -1;
      const OutPort factor =
          x.tensor().type == ElementType::Unknown ? b.op("ConvertLike", {back, x}) : b.convert(back, x.tensor().type);
      y = b.op("Mul", {y, b.reshape(factor, aligned, false)});
    }
    return y;
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

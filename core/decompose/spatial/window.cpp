#include "core/decompose/spatial/window.h"

namespace mo {

size_t spatial_axes_of(const Node& node, int weights) {
  int axes = -1;
  const OutPort data = node.source(0), kernel = weights < 0 ? OutPort() : node.source(weights);
  if (data && data.tensor().shape.has_rank())
    axes = data.tensor().shape.rank() - 2;
  else if (kernel && kernel.tensor().shape.has_rank())
    axes = kernel.tensor().shape.rank() - 2;
  else if (node.has("kernel_shape"))
    axes = static_cast<int>(node.get_ints("kernel_shape").size());
  else if (node.has("strides"))
    axes = static_cast<int>(node.get_ints("strides").size());
  if (axes < 0) throw Error(Code::UnsupportedForm, "the number of spatial dimensions is not known");
  if (axes < 1 || axes > 3) throw Error(Code::UnsupportedForm, msg(axes, " spatial dimensions; IR has 1 to 3"));
  return static_cast<size_t>(axes);
}

SpatialDims data_dims_of(const Node& node, int weights) {
  return spatial_dims(node, spatial_axes_of(node, weights) + 2);
}

Attributes window_attributes(const Node& node, const SpatialWindow& window) {
  Attributes attributes = window.attributes();
  copy_spatial_dims(node, attributes);
  return attributes;
}

OutPort without_windows_in_padding(Builder& b, OutPort y, OutPort x, size_t axis, int64_t begin, int64_t stride) {
  const Ints at{static_cast<int64_t>(axis)};
  const OutPort last = b.op("Add", {b.dims_of(x, at), b.i64({begin + stride - 1})});
  const OutPort windows = b.op("Div", {last, b.i64({stride})});
  return b.op("Slice", {y, b.i64({0}), windows, b.i64({1}), b.i64(at)});
}

OutPort spatial_axes_input(Builder& b, const Node& node, OutPort x) {
  const PartialShape& shape = x.tensor().shape;
  if (!shape.has_rank() && node.has("spatial_dims")) return b.i64(node.get_ints("spatial_dims"));
  if (!shape.has_rank())
    return b.op("Range", {b.i64_scalar(2), b.squeeze(b.shape_of(b.shape_of(x)), {0}), b.i64_scalar(1)},
                {{"output_type", ElementType::I64}});
  if (shape.rank() < 3)
    throw Error(Code::RankMismatch, msg("the input is [", to_string(shape), "], want at least 3 dimensions"));
  const SpatialDims dims = spatial_dims(node, shape.dimensions().size());
  return b.i64(Ints(dims.spatial.begin(), dims.spatial.end()));
}

}  // namespace mo

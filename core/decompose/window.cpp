#include "core/decompose/window.h"

#include <algorithm>

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
  if (axes < 1 || axes > 3) throw Error(Code::UnsupportedForm, cat(axes, " spatial dimensions; IR has 1 to 3"));
  return static_cast<size_t>(axes);
}

SpatialDims data_dims_of(const Node& node, int weights) {
  return spatial_dims(node, spatial_axes_of(node, weights) + 2);
}

Ints ints_of_axes(const Node& node, std::string_view key, size_t axes, int64_t otherwise) {
  Ints values = node.get_ints(key);
  if (values.empty()) return Ints(axes, otherwise);
  if (values.size() != axes)
    throw Error(Code::BadAttribute, cat(key, " has ", values.size(), " numbers for ", axes, " axes"));
  // The limit is larger than any window, and small enough that sums do not overflow.
  for (const int64_t v : values)
    if (v < -INT32_MAX || v > INT32_MAX) throw Error(Code::BadAttribute, cat(key, " holds ", v));
  return values;
}

Attributes window_attributes(const Node& node, size_t axes) {
  const std::string auto_pad = node.get_string("auto_pad", "NOTSET");
  Ints begin(axes, 0), end(axes, 0);
  if (auto_pad == "NOTSET" || auto_pad.empty()) {
    const Ints pads = ints_of_axes(node, "pads", 2 * axes, 0);
    begin.assign(pads.begin(), pads.begin() + static_cast<std::ptrdiff_t>(axes));
    end.assign(pads.begin() + static_cast<std::ptrdiff_t>(axes), pads.end());
  } else if (auto_pad != "SAME_UPPER" && auto_pad != "SAME_LOWER" && auto_pad != "VALID") {
    throw Error(Code::BadAttribute, "auto_pad is '" + auto_pad + "'");
  }
  const char* ir = auto_pad == "SAME_UPPER"   ? "same_upper"
                   : auto_pad == "SAME_LOWER" ? "same_lower"
                   : auto_pad == "VALID"      ? "valid"
                                              : "explicit";
  Attributes window{{"strides", ints_of_axes(node, "strides", axes, 1)},
                    {"dilations", ints_of_axes(node, "dilations", axes, 1)},
                    {"pads_begin", begin},
                    {"pads_end", end},
                    {"auto_pad", ir}};
  copy_spatial_dims(node, window);
  return window;
}

void pad_known_sizes(const PartialShape& data, const SpatialDims& dims, const std::vector<Dimension>& kernel,
                     Attributes& window) {
  const std::string auto_pad = *window.get_if<std::string>("auto_pad");
  const size_t axes = dims.spatial.size();
  if (!auto_pad.starts_with("same") || !data.has_rank() || kernel.size() != axes) return;
  const Ints &strides = *window.get_if<Ints>("strides"), &dilations = *window.get_if<Ints>("dilations");
  Ints begin, end;
  bool all_known = true;
  for (size_t i = 0; i < axes; ++i) {
    const Dimension size = data[dims.spatial[i]];
    all_known &= size.is_exact();
    if (!kernel[i].is_exact() || strides[i] < 1 || (strides[i] != 1 && !size.is_exact())) return;
    const int64_t extent = (kernel[i].min - 1) * dilations[i] + 1;
    const int64_t rest = strides[i] == 1 ? 0 : (size.min - 1) % strides[i];
    const int64_t total = std::max<int64_t>(0, extent - 1 - rest);
    begin.push_back(auto_pad == "same_upper" ? total / 2 : total - total / 2);
    end.push_back(total - begin.back());
  }
  if (all_known) return;
  window.set("pads_begin", begin);
  window.set("pads_end", end);
  window.set("auto_pad", std::string("explicit"));
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
    throw Error(Code::RankMismatch, cat("the input is [", to_string(shape), "], want at least 3 dimensions"));
  const SpatialDims dims = spatial_dims(node, shape.dimensions().size());
  return b.i64(Ints(dims.spatial.begin(), dims.spatial.end()));
}

}  // namespace mo

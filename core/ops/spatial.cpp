#include "core/ops/spatial.h"

namespace mo {
namespace {

constexpr std::string_view kDims[] = {"batch_dims", "channel_dims", "spatial_dims"};

int64_t at_axis(const Node& node, std::string_view key, size_t axis, int64_t otherwise) {
  const Ints* values = node.attributes.get_if<Ints>(key);
  return values && axis < values->size() ? (*values)[axis] : otherwise;
}

int64_t positive(const Node& node, std::string_view key, size_t axis) {
  const int64_t value = at_axis(node, key, axis, 1);
  if (value < 1) throw Error(Code::BadAttribute, cat(key, " holds ", value), node.place());
  return value;
}

SpatialWindow::AutoPad auto_pad_of(const Node& node) {
  const std::string text = node.get_string("auto_pad", "explicit");
  if (text == "explicit") return SpatialWindow::AutoPad::Explicit;
  if (text == "same_upper") return SpatialWindow::AutoPad::SameUpper;
  if (text == "same_lower") return SpatialWindow::AutoPad::SameLower;
  if (text == "valid") return SpatialWindow::AutoPad::Valid;
  throw Error(Code::BadAttribute, "auto_pad is '" + text + "'", node.place());
}

SpatialWindow::Rounding rounding_of(const Node& node) {
  const std::string text = node.get_string("rounding_type", "floor");
  if (text == "floor") return SpatialWindow::Rounding::Floor;
  if (text == "ceil") return SpatialWindow::Rounding::Ceil;
  if (text == "ceil_torch") return SpatialWindow::Rounding::CeilTorch;
  throw Error(Code::BadAttribute, "rounding_type is '" + text + "'", node.place());
}

}  // namespace

SpatialDims spatial_dims(const Node& node, size_t rank) {
  if (!node.has(kDims[0]) && !node.has(kDims[1]) && !node.has(kDims[2])) {
    SpatialDims dims;
    for (size_t i = 2; i < rank; ++i) dims.spatial.push_back(i);
    return dims;
  }
  std::vector<size_t> axes;
  std::vector<char> seen(rank, 0);
  bool good = true;
  for (const std::string_view key : kDims) {
    const Ints given = node.get_ints(key);
    good &= key == kDims[2] || given.size() == 1;
    for (int64_t axis : given) {
      if (axis < 0) axis += static_cast<int64_t>(rank);
      if (axis < 0 || axis >= static_cast<int64_t>(rank) || seen[static_cast<size_t>(axis)]++) good = false;
      axes.push_back(static_cast<size_t>(axis));
    }
  }
  if (!good || axes.size() != rank || rank < 2)
    throw Error(Code::BadAttribute,
                cat("batch_dims, channel_dims and spatial_dims do not name each of ", rank, " axes once"),
                node.place());
  return {axes[0], axes[1], {axes.begin() + 2, axes.end()}};
}

int64_t channel_axis(const Node& node, const PartialShape& data) {
  const Ints given = node.get_ints("channel_dims", {1});
  if (given.size() != 1) throw Error(Code::BadAttribute, "channel_dims is not one axis", node.place());
  return data.has_rank() ? static_cast<int64_t>(normalize_axis(given[0], data.rank())) : given[0];
}

size_t channel_axis(const Graph& graph, size_t rank) {
  return graph.model().layout == DataLayout::Nhwc && rank > 3 ? rank - 1 : 1;
}

void copy_spatial_dims(const Node& node, Attributes& to) {
  for (const std::string_view key : kDims)
    if (const Attribute* axes = node.attributes.find(key)) to.set(key, *axes);
}

SpatialWindow::SpatialWindow(const Node& node, size_t axis, Interval k)
    : kernel(k),
      stride(positive(node, "strides", axis)),
      dilation(positive(node, "dilations", axis)),
      pad_begin(at_axis(node, "pads_begin", axis, 0)),
      pad_end(at_axis(node, "pads_end", axis, 0)),
      auto_pad(auto_pad_of(node)),
      rounding(rounding_of(node)) {
  if (auto_pad != AutoPad::Explicit) pad_begin = pad_end = 0;
}

Interval SpatialWindow::extent() const { return (kernel - 1) * dilation + 1; }

Dimension SpatialWindow::output(Dimension input) const {
  if (auto_pad == AutoPad::SameUpper || auto_pad == AutoPad::SameLower) return to_dimension(ceil_div(input, stride));
  const Interval room = input + pad_begin + pad_end - extent();
  if (room.max < 0)
    throw Error(Code::ShapeMismatch, cat("a window over ", extent().min, " elements does not fit into ",
                                         to_string(input), " and ", pad_begin, " + ", pad_end, " of padding"));
  const Interval steps = rounding == Rounding::Floor ? floor_div(room, stride) : ceil_div(room, stride);
  const Interval count = steps + 1;
  if (rounding != Rounding::CeilTorch) return to_dimension(count);
  // No window starts in the padding at the end.
  return to_dimension(min(count, ceil_div(input + pad_begin, stride)));
}

Dimension SpatialWindow::transposed_output(Dimension input, int64_t output_padding) const {
  const Interval size = (input - 1) * stride + extent() - pad_begin - pad_end + output_padding;
  if (size.max < 0)
    throw Error(Code::ShapeMismatch,
                cat("padding of ", pad_begin, " + ", pad_end, " leaves nothing of ", to_string(input)));
  return to_dimension(size);
}

size_t spatial_axes(const Node& node) { return node.get_ints("strides").size(); }

void add_pad_attributes(const Node& node, IrAttributes& attributes) {
  const bool is_explicit = node.get_string("auto_pad", "explicit") == "explicit";
  const Ints zeros(spatial_axes(node), 0);
  attributes.add("pads_begin", is_explicit ? node.get_ints("pads_begin", zeros) : zeros);
  attributes.add("pads_end", is_explicit ? node.get_ints("pads_end", zeros) : zeros);
}

void add_window_attributes(const Node& node, IrAttributes& attributes) {
  attributes.add("strides", node.get_ints("strides"));
  attributes.add("dilations", node.get_ints("dilations", Ints(spatial_axes(node), 1)));
  add_pad_attributes(node, attributes);
  attributes.add("auto_pad", node.get_string("auto_pad", "explicit"));
}

}  // namespace mo

// Spatial operations: the axes of their data, and the windows that slide over it.
#pragma once

#include "core/ops/op_def.h"

namespace mo {

/// The axes of a spatial operation's data and result. Attributes batch_dims and channel_dims name one axis each,
/// spatial_dims the others, in the order of the window's numbers. Without these attributes the data is [N, C,
/// spatial…]. Weights always have the order of IR.
struct SpatialDims {
  size_t batch = 0, channel = 1;
  std::vector<size_t> spatial;

  size_t rank() const { return spatial.size() + 2; }
};
/// For data of `rank` dimensions; a negative axis counts from the end. Throws BadAttribute unless each axis is named
/// exactly once.
SpatialDims spatial_dims(const Node& node, size_t rank);
/// The channel axis of `data` according to the node; may be negative (from the end) if the rank is unknown. Throws
/// BadAttribute, and BadValue for an axis that the data does not have.
int64_t channel_axis(const Node& node, const PartialShape& data);
/// The channel axis of a tensor without a spatial operation: the last one in a model of NHWC if the tensor has more
/// than three dimensions, else 1.
size_t channel_axis(const Graph& graph, size_t rank);
/// Copies the axes of `node` to `to`, for an operation on the same data.
void copy_spatial_dims(const Node& node, Attributes& to);

/// The layout of a spatial operation.
constexpr Layout spatial_layout() {
  return {LayoutClass::Spatial,
          {{LayoutRule::Kind::Inv, "batch_dims"},
           {LayoutRule::Kind::Inv, "channel_dims"},
           {LayoutRule::Kind::Inv, "spatial_dims"}}};
}
/// The same with an input that is not data: it holds axes, or is kept, as weights and grids are.
constexpr Layout spatial_layout(int8_t input, LayoutRule::Kind kind = LayoutRule::Kind::Keep) {
  Layout out = spatial_layout();
  out.rules.add({kind, {}, input});
  return out;
}

/// The window of one spatial axis.
struct SpatialWindow {
  enum class AutoPad { Explicit, SameUpper, SameLower, Valid };
  enum class Rounding { Floor, Ceil, CeilTorch };

  Interval kernel = 1;
  int64_t stride = 1, dilation = 1, pad_begin = 0, pad_end = 0;
  AutoPad auto_pad = AutoPad::Explicit;
  Rounding rounding = Rounding::Floor;

  SpatialWindow() = default;
  /// Reads strides, dilations, pads_begin, pads_end, auto_pad and rounding_type of the node at spatial axis `axis`.
  /// Throws BadAttribute for strides and dilations below 1.
  SpatialWindow(const Node& node, size_t axis, Interval kernel);
  /// The number of elements from the first to the last that the kernel covers.
  Interval extent() const;
  /// The number of window positions. Throws ShapeMismatch when the window cannot fit.
  Dimension output(Dimension input) const;
  /// The output's size if the window belongs to a transposed convolution; `output_padding` elements are added at the
  /// end.
  Dimension transposed_output(Dimension input, int64_t output_padding) const;
};

/// The number of spatial axes, taken from the length of `strides`.
size_t spatial_axes(const Node& node);

/// strides, dilations, pads_begin, pads_end and auto_pad, as convolutions write them.
void add_window_attributes(const Node& node, IrAttributes& attributes);
/// pads_begin and pads_end: zeros unless auto_pad is explicit.
void add_pad_attributes(const Node& node, IrAttributes& attributes);

}  // namespace mo

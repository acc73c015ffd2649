// Spatial operations: where their data has its batch, channels and space, and the windows that slide over it.
#pragma once

#include "core/ops/op_def.h"

namespace mo {

/// The axes of a spatial operation's data and result: attributes batch_dims, channel_dims (one axis each) and
/// spatial_dims, in the order of the window's numbers. Without these attributes the data is [N, C, spatial…]. Weights
/// do not follow: they are always as IR wants them.
struct SpatialDims {
  size_t batch = 0, channel = 1;
  std::vector<size_t> spatial;

  size_t rank() const { return spatial.size() + 2; }
};
/// For data of `rank` dimensions; an axis below 0 counts from the end. Throws BadAttribute unless each axis is named
/// once.
SpatialDims spatial_dims(const Node& node, size_t rank);
/// The channels' axis of `data` as the node names it; one below 0 counts from the end where the rank is unknown. Throws
/// BadAttribute, and BadValue for an axis that the data does not have.
int64_t channel_axis(const Node& node, const PartialShape& data);
/// The channels' axis of a tensor that no spatial operation speaks of, by the layout of the graph: in NHWC the last one
/// where that will be turned, else 1.
size_t channel_axis(const Graph& graph, size_t rank);
/// Gives `to` the axes that `node` names, for an operation on the same data.
void copy_spatial_dims(const Node& node, Attributes& to);

/// The layout of a spatial operation.
constexpr Layout spatial_layout() {
  return {LayoutClass::Spatial,
          {{LayoutRule::Kind::Inv, "batch_dims"},
           {LayoutRule::Kind::Inv, "channel_dims"},
           {LayoutRule::Kind::Inv, "spatial_dims"}}};
}
/// That of one with an input that is no data: axes, or what is kept as it is: weights, a grid.
constexpr Layout spatial_layout(int input, LayoutRule::Kind kind = LayoutRule::Kind::Keep) {
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
  /// From the first element the kernel covers to the last.
  Interval extent() const;
  /// The number of positions. Throws ShapeMismatch when the window cannot fit.
  Dimension output(Dimension input) const;
  /// The output's size when the window is a transposed convolution's: `output_padding` more elements at the end.
  Dimension transposed_output(Dimension input, int64_t output_padding) const;
};

/// Rank 3 to 5: the number of spatial axes that the node's attributes speak of.
size_t spatial_axes(const Node& node);

/// strides, dilations, pads_begin, pads_end and auto_pad, as convolutions write them.
void add_window_attributes(const Node& node, IrAttributes& attributes);
/// pads_begin and pads_end: zeros unless auto_pad is explicit.
void add_pad_attributes(const Node& node, IrAttributes& attributes);

}  // namespace mo

// Spatial operations: the axes of their data. The windows that slide over it are in window.h.
#pragma once

#include "core/ops/op_def.h"

namespace mo {

/// The operations that slide weights over data.
inline constexpr std::string_view kConvolutions[] = {"Convolution", "GroupConvolution", "ConvolutionBackpropData",
                                                     "GroupConvolutionBackpropData"};

/// The axes of a spatial operation's data and result. Attributes batch_dims and channel_dims name one axis each,
/// spatial_dims the others, in the order of the window's numbers. Without these attributes the data is [N, C,
/// spatial…]. Weights always have the order of IR.
struct SpatialDims {
  size_t batch = 0, channel = 1;
  std::vector<size_t> spatial;

  /// [N, spatial…, C]
  static SpatialDims channels_last(size_t spatial_axes);

  size_t rank() const { return spatial.size() + 2; }
};
/// For data of `rank` dimensions; a negative axis counts from the end. Throws BadAttribute unless each axis is named
/// exactly once.
SpatialDims spatial_dims(const Node& node, size_t rank);
/// The sizes of `data` along its spatial axes; unknown ones of a shape of unknown rank.
std::vector<Dimension> spatial_sizes(const PartialShape& data, const SpatialDims& dims);
/// The channel axis of `data` according to the node; may be negative (from the end) if the rank is unknown. Throws
/// BadAttribute, and BadValue for an axis that the data does not have.
int64_t channel_axis(const Node& node, const PartialShape& data);
/// The channel axis of a tensor without a spatial operation: the last one in a model of NHWC if the tensor has more
/// than three dimensions, else 1.
size_t channel_axis(const Graph& graph, size_t rank);
/// Copies the axes of `node` to `to`, for an operation on the same data.
void copy_spatial_dims(const Node& node, Attributes& to);
/// Says where the axes of the node's data are.
void set_spatial_dims(Node& node, const SpatialDims& dims);

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

}  // namespace mo

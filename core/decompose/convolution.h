// Shared by the decompositions of convolutions.
#pragma once

#include "core/build/builder.h"
#include "core/ops/spatial.h"

namespace mo {

/// Weights in IR's order, and the number of groups.
struct ConvolutionWeights {
  OutPort port;  ///< [O, I / G, kernel…]; of a transposed convolution [I, O / G, kernel…]
  int64_t group = 1;
};
/// Input 1 of a convolution whose data has `dims`. Attributes input_feature_channel, output_feature_channel and
/// kernel_spatial_idx name the axes of weights in another order, which are then transposed; constants stay places. If
/// both channels are on one axis, the weights are depthwise, with one group for each of its elements. Without attribute
/// `group` the number of groups follows from the data's channels if these are known. Throws BadAttribute, BadValue for
/// axes that the weights do not have, ShapeMismatch when the weights' channels do not divide the data's.
ConvolutionWeights ordered_weights(Builder& b, const Node& node, const SpatialDims& dims, bool transposed);
/// Weights [A, B, …] as [G, A/G, B, …]; constant weights stay places. Throws ShapeMismatch when G does not divide A.
OutPort grouped_weights(Builder& b, OutPort weights, int64_t group);
/// y + bias, where the bias has one number for each channel of y.
OutPort add_bias(Builder& b, OutPort y, OutPort bias, const SpatialDims& dims);
/// A tensor of one number per channel in a shape that broadcasts to data with `dims`; a constant stays a constant.
OutPort per_channel(Builder& b, OutPort x, const SpatialDims& dims);

}  // namespace mo

// What convolutions share on their way to IR.
#pragma once

#include "core/build/builder.h"
#include "core/ops/spatial.h"

namespace mo {

/// Weights as IR wants them, and in how many groups.
struct ConvolutionWeights {
  OutPort port;  ///< [O, I / G, kernel…]; of a transposed convolution [I, O / G, kernel…]
  int64_t group = 1;
};
/// Input 1 of a convolution whose data has `dims`. Attributes input_feature_channel, output_feature_channel and
/// kernel_spatial_idx name the axes of weights in another order, which are turned; constants stay a place. Both
/// channels on one axis are depthwise weights, one group for each of its elements. Without the attribute `group` the
/// data's channels tell the number of groups, as far as both are known. Throws BadAttribute, BadValue for axes that the
/// weights do not have, ShapeMismatch for channels that the weights' do not divide.
ConvolutionWeights ordered_weights(Builder& b, const Node& node, const SpatialDims& dims, bool transposed);
/// Weights [A, B, …] as [G, A/G, B, …]; constant weights stay a place. Throws ShapeMismatch when G does not divide A.
OutPort grouped_weights(Builder& b, OutPort weights, int64_t group);
/// y + bias, the bias being one number for each channel of y.
OutPort add_bias(Builder& b, OutPort y, OutPort bias, const SpatialDims& dims);
/// A tensor of one number a channel in a shape that broadcasts to data with `dims`; a constant stays one.
OutPort per_channel(Builder& b, OutPort x, const SpatialDims& dims);

}  // namespace mo

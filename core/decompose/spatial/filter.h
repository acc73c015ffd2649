// Filters of convolutions in IR's order. All weights are turned here, quantised ones, too.
#pragma once

#include "core/build/builder.h"
#include "core/ops/filter_order.h"
#include "core/ops/spatial.h"

namespace mo {

/// The weights with their axes in another order. If they are a constant that DequantizeLinear, or FakeQuantize, Cast,
/// Sub and Mul with constants make real numbers of, the constant is turned, and each scale with it: runtimes recognise
/// quantised weights only if nothing is in between.
OutPort turned_weights(Builder& b, OutPort weights, const Ints& order);

/// Weights in IR's order, and the number of groups.
struct ConvolutionWeights {
  OutPort port;  ///< [O, I / G, kernel…]; of a transposed convolution [I, O / G, kernel…]
  int64_t group = 1;
};
/// Input 1 of a convolution whose data has `dims`. If attributes say that the weights have another order
/// (FilterOrder::of), they are turned; constants stay places. A depthwise filter has one group for each of its inputs.
/// Without attribute `group` the number of groups follows from the data's channels if these are known. Throws as
/// FilterOrder::of, and ShapeMismatch when the weights' channels do not divide the data's.
ConvolutionWeights ordered_weights(Builder& b, const Node& node, const SpatialDims& dims, bool transposed);
/// Weights [A, B, …] as [G, A/G, B, …]; constant weights stay places. Throws ShapeMismatch when G does not divide A.
OutPort grouped_weights(Builder& b, OutPort weights, int64_t group);

}  // namespace mo

// Shared by the decompositions of convolutions.
#pragma once

#include "core/decompose/spatial/filter.h"

namespace mo {

/// y + bias, where the bias has one number for each channel of y.
OutPort add_bias(Builder& b, OutPort y, OutPort bias, const SpatialDims& dims);
/// A tensor of one number per channel in a shape that broadcasts to data with `dims`; a constant stays a constant.
OutPort per_channel(Builder& b, OutPort x, const SpatialDims& dims);

}  // namespace mo

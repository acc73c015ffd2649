// A framework's attributes of windows (auto_pad, pads, strides, dilations, kernel_shape, by spatial axis) in the IR's
// form, and where the axes of the data lie.
#pragma once

#include "core/build/builder.h"
#include "core/ops/spatial.h"

namespace mo {

/// The number of spatial axes that input 0, input `weights` (-1: none) or an attribute tells. Throws UnsupportedForm
/// when nothing tells it, and for more than IR's three or none.
size_t spatial_axes_of(const Node& node, int weights = -1);

/// The axes of input 0 with the number of spatial ones that spatial_axes_of tells. Throws what that throws, and
/// BadAttribute for attributes that name other axes.
SpatialDims data_dims_of(const Node& node, int weights = -1);

/// strides, dilations, pads_begin, pads_end and auto_pad, each of `axes` numbers, and the axes that the node names.
/// Throws BadAttribute.
Attributes window_attributes(const Node& node, size_t axes);

/// The attribute, or `axes` times `otherwise`. Throws BadAttribute when it has another number of elements.
Ints ints_of_axes(const Node& node, std::string_view key, size_t axes, int64_t otherwise);

/// The spatial axes of `x`, input 0 of `node`: constants when its rank is known or the node names them, else counted at
/// run time. Throws RankMismatch when it has none.
OutPort spatial_axes_input(Builder& b, const Node& node, OutPort x);

}  // namespace mo

// The windows of a framework's operation in IR's form, and the axes of its data.
#pragma once

#include "core/build/builder.h"
#include "core/ops/spatial.h"
#include "core/ops/window.h"

namespace mo {

/// The number of spatial axes, from input 0, input `weights` (-1: none) or an attribute. Throws UnsupportedForm when it
/// is unknown or not 1 to 3.
size_t spatial_axes_of(const Node& node, int weights = -1);

/// The axes of input 0, with spatial_axes_of() spatial ones. Throws the same, and BadAttribute when attributes name
/// other axes.
SpatialDims data_dims_of(const Node& node, int weights = -1);

/// The attributes of an operation of IR: those of the window, and the axes that the framework's node names.
Attributes window_attributes(const Node& node, const SpatialWindow& window);

/// y, which has an element for each window over x along `axis`, without the windows that start in the padding at the
/// end: those beyond begin + the size of x, which is known at run time.
OutPort without_windows_in_padding(Builder& b, OutPort y, OutPort x, size_t axis, int64_t begin, int64_t stride);

/// The spatial axes of `x`, input 0 of `node`: constants if its rank is known or the node names them, else computed at
/// run time. Throws RankMismatch when there are none.
OutPort spatial_axes_input(Builder& b, const Node& node, OutPort x);

}  // namespace mo

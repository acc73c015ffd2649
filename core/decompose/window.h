// A framework's window attributes (auto_pad, pads, strides, dilations, kernel_shape, by spatial axis) in IR's form, and
// the axes of the data.
#pragma once

#include "core/build/builder.h"
#include "core/ops/spatial.h"

namespace mo {

/// The number of spatial axes, from input 0, input `weights` (-1: none) or an attribute. Throws UnsupportedForm when it
/// is unknown or not 1 to 3.
size_t spatial_axes_of(const Node& node, int weights = -1);

/// The axes of input 0, with spatial_axes_of() spatial ones. Throws the same, and BadAttribute when attributes name
/// other axes.
SpatialDims data_dims_of(const Node& node, int weights = -1);

/// strides, dilations, pads_begin, pads_end and auto_pad, each of `axes` numbers, and the axes that the node names.
/// Throws BadAttribute.
Attributes window_attributes(const Node& node, size_t axes);

/// Makes SAME padding of data with unknown sizes explicit if it does not depend on these: runtimes would forget the
/// known sizes, too. `kernel` has a size for each spatial axis; `window` comes from window_attributes().
void pad_known_sizes(const PartialShape& data, const SpatialDims& dims, const std::vector<Dimension>& kernel,
                     Attributes& window);

/// y, which has an element for each window over x along `axis`, without the windows that start in the padding at the
/// end: those beyond begin + the size of x, which is known at run time.
OutPort without_windows_in_padding(Builder& b, OutPort y, OutPort x, size_t axis, int64_t begin, int64_t stride);

/// The attribute, or `axes` copies of `otherwise`. Throws BadAttribute when it has another number of elements.
Ints ints_of_axes(const Node& node, std::string_view key, size_t axes, int64_t otherwise);

/// The spatial axes of `x`, input 0 of `node`: constants if its rank is known or the node names them, else computed at
/// run time. Throws RankMismatch when there are none.
OutPort spatial_axes_input(Builder& b, const Node& node, OutPort x);

}  // namespace mo

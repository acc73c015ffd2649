// ONNX's attributes of windows (auto_pad, pads, strides, dilations, kernel_shape) in the IR's form.
#pragma once

#include "core/build/builder.h"

namespace mo {

/// The number of spatial axes that input 0, input `weights` (-1: none) or an attribute tells. Throws UnsupportedForm
/// when nothing tells it, and for more than IR's three or none.
size_t spatial_axes_of(const Node& node, int weights = -1);

/// strides, dilations, pads_begin, pads_end and auto_pad, each of `axes` numbers. Throws BadAttribute.
Attributes window_attributes(const Node& node, size_t axes);

/// The attribute, or `axes` times `otherwise`. Throws BadAttribute when it has another number of elements.
Ints ints_of_axes(const Node& node, std::string_view key, size_t axes, int64_t otherwise);

/// The axes from 2 on of `x`: constants when its rank is known, else counted at run time.
OutPort spatial_axes_input(Builder& b, OutPort x);

}  // namespace mo

// Windows of convolutions and pooling, and the layouts of their data.
#pragma once

#include "core/front/mxnet/extract/extractor.h"
#include "core/ops/window.h"

namespace mo::mxnet {

/// The number of spatial axes: that of the numbers in `kernel`, else that which `layout` names; nullopt if neither is
/// given. Throws BadAttribute.
std::optional<size_t> spatial_axes_of(const Node& node);
/// Whether the attribute layout has channels last: NWC, NHWC, NDHWC. Throws BadAttribute for other texts than layouts.
bool has_channels_last(const Node& node);
/// Sets batch_dims, channel_dims and spatial_dims of data with channels last.
void set_last_channels(Node& node, size_t spatial_axes);
/// One number for each axis; `otherwise` for an absent or empty tuple. Throws BadAttribute.
Ints sizes_of(const Node& node, std::string_view key, size_t axes, int64_t otherwise, int64_t least);
/// The window of kernel, stride, dilate and pad. Throws MissingAttribute without a kernel.
SpatialWindow window_of(const Node& node);

}  // namespace mo::mxnet

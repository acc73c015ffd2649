// data_format, and the windows of convolutions and pools.
#pragma once

#include "core/front/paddle/extract/extractor.h"
#include "core/ops/window.h"

namespace mo::paddle {

/// Whether channels are the last axis, by the attribute data_format, or data_layout in others. Throws BadAttribute for
/// other texts than those of formats.
bool channels_last(const Node& node, std::string_view attribute = "data_format");
/// Sets batch_dims, channel_dims and spatial_dims of data with channels last.
void set_last_channels(Node& node, size_t spatial_axes);

/// One number for each axis, or one for all; `otherwise` for an absent list. Throws BadAttribute.
Ints numbers_of(const Node& node, std::string_view attribute, size_t axes, int64_t otherwise);
/// The window of strides, dilations, paddings and padding_algorithm. SAME is without dilations. Throws BadAttribute.
SpatialWindow window_of(const Node& node, size_t axes);
/// Sizes that are an attribute, or tensors in its place, as 1-D i64; empty if there are none.
OutPort sizes_of(Node& node, std::string_view attribute);

}  // namespace mo::paddle

// Windows of convolutions and pooling.
#pragma once

#include "core/ops/window.h"

namespace mo::tflite {

/// Sets batch_dims, channel_dims and spatial_dims for channels that are last.
void set_axes(Node& node, int64_t spatial_axes);
/// The window of padding (0 SAME, 1 VALID), stride_h, stride_w, dilation_h_factor…, which are removed; `axes` has a
/// letter for each spatial axis. Throws BadAttribute.
SpatialWindow take_window(Node& node, std::string_view axes);

}  // namespace mo::tflite

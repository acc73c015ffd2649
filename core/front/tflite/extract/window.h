// Windows of convolutions and pooling, and weights in IR's order.
#pragma once

#include "core/graph/graph.h"

namespace mo::tflite {

/// Sets batch_dims, channel_dims and spatial_dims for channels that are last.
void set_axes(Node& node, int64_t spatial_axes);
/// strides, dilations and auto_pad from padding (0 SAME, 1 VALID), stride_h, stride_w, dilation_h_factor…; `axes` has a
/// letter for each spatial axis. Throws BadAttribute.
void set_window(Node& node, std::string_view axes);
/// Input `port` with its axes in another order. Where it is a quantised constant, the integers are turned, so that they
/// stay a constant that runtimes recognise. Throws MissingInput.
OutPort turned_weights(Node& node, int port, const Ints& order);

}  // namespace mo::tflite

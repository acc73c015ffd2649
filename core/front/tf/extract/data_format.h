// data_format: where the axes of images and volumes are.
#pragma once

#include "core/ops/window.h"

namespace mo::tf {

/// The axes of a tensor with batch, channels and `spatial.size()` spatial axes.
struct DataFormat {
  int64_t channel = 0;
  Ints spatial;
};
/// By the node's data_format; without one channels are last. Throws BadAttribute, and UnsupportedForm for channels in
/// vectors.
DataFormat data_format(const Node& node, int64_t spatial_axes);

/// Sets batch_dims, channel_dims and spatial_dims.
void set_axes(Node& node, const DataFormat& format);

/// The numbers of the spatial axes in the node's list `key`, which has one number for each axis; ones if there is no
/// list. Throws BadAttribute for another number of them, UnsupportedForm if a number of batch or channels is not 1.
Ints spatial_numbers(const Node& node, std::string_view key, const DataFormat& format);

/// The window of the node's strides, dilations, padding and explicit_paddings. Throws as spatial_numbers().
SpatialWindow window_of(const Node& node, const DataFormat& format);

}  // namespace mo::tf

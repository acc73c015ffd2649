// Windows of convolutions and pooling.
#pragma once

#include "core/ops/window.h"

namespace mo::caffe {

/// The parameter for each of `axes` axes: NAME_h and NAME_w where they are given and not 0, else NAME, which has one
/// number for all axes, one for each, or none. Throws BadAttribute.
Ints sizes_of(const Node& node, const std::string& name, size_t axes, int64_t otherwise, int64_t least);
/// The number of axes that the parameters name; nullopt if each is one number for all.
std::optional<size_t> named_axes(const Node& node);

}  // namespace mo::caffe

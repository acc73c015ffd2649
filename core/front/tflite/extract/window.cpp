#include "core/front/tflite/extract/window.h"

#include "core/base/text.h"
#include "core/ops/spatial.h"

namespace mo::tflite {

void set_axes(Node& node, int64_t spatial_axes) {
  set_spatial_dims(node, SpatialDims::channels_last(static_cast<size_t>(spatial_axes)));
}

SpatialWindow take_window(Node& node, std::string_view axes) {
  SpatialWindow window(axes.size());
  const auto take = [&](const std::string& key) {
    const int64_t value = node.get_int(key, 1);
    if (value < 1) throw Error(Code::BadAttribute, msg(key, " is ", value));
    node.attributes.erase(key);
    return value;
  };
  for (size_t i = 0; i < axes.size(); ++i) {
    window.strides[i] = take(cat("stride_", std::string(1, axes[i])));
    window.dilations[i] = take(cat("dilation_", std::string(1, axes[i]), "_factor"));
  }
  const int64_t padding = node.get_int("padding");
  if (padding != 0 && padding != 1) throw Error(Code::BadAttribute, msg("padding is ", padding));
  node.attributes.erase("padding");
  window.auto_pad = padding == 0 ? AutoPad::SameUpper : AutoPad::Valid;
  return window;
}

}  // namespace mo::tflite

#include "core/front/mxnet/extract/window.h"

#include "core/base/text.h"
#include "core/ops/spatial.h"

namespace mo::mxnet {
namespace {

std::string layout_of(const Node& node) {
  return choice_of(node, "layout", "", {"", "NCW", "NCHW", "NCDHW", "NWC", "NHWC", "NDHWC"});
}

}  // namespace

std::optional<size_t> spatial_axes_of(const Node& node) {
  const size_t sizes = ints_of(node, "kernel").size(), letters = layout_of(node).size();
  if (sizes > 3) throw Error(Code::UnsupportedForm, msg("a window over ", sizes, " axes"));
  if (letters > 2 && sizes > 0 && sizes + 2 != letters)
    throw Error(Code::BadAttribute, msg(std::string("kernel"), " has ", sizes, " numbers for ", letters - 2, " axes"));
  if (sizes > 0) return sizes;
  return letters > 2 ? std::optional(letters - 2) : std::nullopt;
}

bool has_channels_last(const Node& node) {
  const std::string layout = layout_of(node);
  return !layout.empty() && layout.back() == 'C';
}

void set_last_channels(Node& node, size_t spatial_axes) {
  set_spatial_dims(node, SpatialDims::channels_last(spatial_axes));
}

Ints sizes_of(const Node& node, std::string_view key, size_t axes, int64_t otherwise, int64_t least) {
  Ints out = ints_of(node, key);
  if (out.empty()) out.assign(axes, otherwise);
  if (out.size() != axes)
    throw Error(Code::BadAttribute, msg(std::string(key), " has ", out.size(), " numbers for ", axes, " axes"));
  for (const int64_t value : out)
    if (value < least || value > INT32_MAX) throw Error(Code::BadAttribute, msg(std::string(key), " is ", value));
  return out;
}

SpatialWindow window_of(const Node& node) {
  const size_t axes = ints_of(node, "kernel").size();
  if (axes == 0) throw Error(Code::MissingAttribute, "kernel");
  spatial_axes_of(node);
  SpatialWindow window(axes);
  window.kernel = sizes_of(node, "kernel", axes, 1, 1);
  window.strides = sizes_of(node, "stride", axes, 1, 1);
  window.dilations = sizes_of(node, "dilate", axes, 1, 1);
  window.pads_begin = window.pads_end = sizes_of(node, "pad", axes, 0, 0);
  return window;
}

}  // namespace mo::mxnet

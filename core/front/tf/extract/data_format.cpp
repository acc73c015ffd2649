#include "core/front/tf/extract/data_format.h"

#include <numeric>

#include "core/base/text.h"
#include "core/build/builder.h"
#include "core/front/common/inputs.h"
#include "core/front/tf/extract/extractor.h"
#include "core/ops/spatial.h"

namespace mo::tf {

DataFormat data_format(const Node& node, int64_t spatial_axes) {
  const std::string text = node.get_string("data_format", "NHWC");
  if (text == "NCHW_VECT_C" || text == "NHWC_VECT_W") throw Error(Code::UnsupportedForm, msg("data_format ", text));
  const bool last = text == "NHWC" || text == "NDHWC" || text == "CHANNELS_LAST";
  if (!last && text != "NCHW" && text != "NCDHW" && text != "CHANNELS_FIRST")
    throw Error(Code::BadAttribute, msg("data_format is '", printable(text), "'"));
  DataFormat format{last ? spatial_axes + 1 : 1, Ints(static_cast<size_t>(spatial_axes))};
  std::iota(format.spatial.begin(), format.spatial.end(), last ? 1 : 2);
  return format;
}

void set_axes(Node& node, const DataFormat& format) {
  set_spatial_dims(node, {0, static_cast<size_t>(format.channel), {format.spatial.begin(), format.spatial.end()}});
}

Ints spatial_numbers(const Node& node, std::string_view key, const DataFormat& format) {
  const size_t axes = format.spatial.size();
  const Ints all = node.get_ints(key);
  if (all.empty()) return Ints(axes, 1);
  if (all.size() != axes + 2)
    throw Error(Code::BadAttribute, msg(key, " has ", all.size(), " numbers for ", axes + 2, " dimensions"));
  if (all[0] != 1 || all[static_cast<size_t>(format.channel)] != 1)
    throw Error(Code::UnsupportedForm, msg(key, " of batch or channels other than 1"));
  Ints out;
  for (const int64_t axis : format.spatial) out.push_back(all[static_cast<size_t>(axis)]);
  return out;
}

SpatialWindow window_of(const Node& node, const DataFormat& format) {
  SpatialWindow window(format.spatial.size());
  window.strides = spatial_numbers(node, "strides", format);
  window.dilations = spatial_numbers(node, "dilations", format);
  const std::string padding = node.get_string("padding");
  if (padding == "SAME" || padding == "VALID") {
    window.auto_pad = padding == "SAME" ? AutoPad::SameUpper : AutoPad::Valid;
    return window;
  }
  if (padding != "EXPLICIT") throw Error(Code::BadAttribute, msg("padding is '", printable(padding), "'"));
  const Ints pairs = node.get_ints("explicit_paddings");
  if (pairs.size() != 2 * window.axes() + 4)
    throw Error(Code::BadAttribute, msg("explicit_paddings has ", pairs.size(), " numbers"));
  for (size_t i = 0; i < window.axes(); ++i) {
    const auto axis = static_cast<size_t>(format.spatial[i]);
    window.pads_begin[i] = pairs[2 * axis];
    window.pads_end[i] = pairs[2 * axis + 1];
  }
  return window;
}

namespace {

/// Where each axis of the format `from` is in the format `to`. Throws BadAttribute unless they have the same axes.
Ints moved_axes(std::string_view from, std::string_view to) {
  Ints places;
  for (const char axis : from) {
    const size_t at = to.find(axis);
    if (at == std::string_view::npos || from.size() != to.size() || from.find(axis) != places.size())
      throw Error(Code::BadAttribute, msg("formats '", printable(from), "' and '", printable(to), "'"));
    places.push_back(static_cast<int64_t>(at));
  }
  return places;
}

std::string spatial_axes_of(std::string_view format) {
  std::string axes;
  for (const char axis : format)
    if (axis != 'N' && axis != 'C') axes += axis;
  return axes;
}

}  // namespace

/// x are axes in src_format.
void extract_data_format_dim_map(Node& node) {
  const Ints places = moved_axes(node.get_string("src_format", "NHWC"), node.get_string("dst_format", "NCHW"));
  Builder b(node);
  require_input(node, 0);
  const OutPort x = node.source(0), map = b.convert(b.i64(places), type_of(node, "T"));
  set_inputs(node, {map, x, b.i64_scalar(0)});
  node.set_op("Gather");
}

/// x has a number for each axis, or for each spatial one.
void extract_data_format_vec_permute(Node& node) {
  const std::string from = node.get_string("src_format", "NHWC"), to = node.get_string("dst_format", "NCHW");
  const Ints all = moved_axes(to, from);
  Ints spatial = moved_axes(spatial_axes_of(to), spatial_axes_of(from));
  spatial.resize(all.size());
  Builder b(node);
  require_input(node, 0);
  const OutPort x = node.source(0), order = b.i64(all);
  set_inputs(node, {x, order, b.i64(spatial)});
  node.set_op("DataFormatVecPermute");
}

}  // namespace mo::tf

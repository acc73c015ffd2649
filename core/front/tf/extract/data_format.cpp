#include "core/front/tf/extract/data_format.h"

#include <numeric>

#include "core/base/text.h"

namespace mo::tf {

DataFormat data_format(const Node& node, int64_t spatial_axes) {
  const std::string text = node.get_string("data_format", "NHWC");
  if (text == "NCHW_VECT_C" || text == "NHWC_VECT_W") throw Error(Code::UnsupportedForm, "data_format " + text);
  const bool last = text == "NHWC" || text == "NDHWC" || text == "CHANNELS_LAST";
  if (!last && text != "NCHW" && text != "NCDHW" && text != "CHANNELS_FIRST")
    throw Error(Code::BadAttribute, cat("data_format is '", printable(text), "'"));
  DataFormat format{last ? spatial_axes + 1 : 1, Ints(static_cast<size_t>(spatial_axes))};
  std::iota(format.spatial.begin(), format.spatial.end(), last ? 1 : 2);
  return format;
}

void set_axes(Node& node, const DataFormat& format) {
  node.set("batch_dims", Ints{0});
  node.set("channel_dims", Ints{format.channel});
  node.set("spatial_dims", format.spatial);
}

Ints spatial_numbers(const Node& node, std::string_view key, const DataFormat& format) {
  const size_t axes = format.spatial.size();
  const Ints all = node.get_ints(key);
  if (all.empty()) return Ints(axes, 1);
  if (all.size() != axes + 2)
    throw Error(Code::BadAttribute, cat(key, " has ", all.size(), " numbers for ", axes + 2, " dimensions"));
  if (all[0] != 1 || all[static_cast<size_t>(format.channel)] != 1)
    throw Error(Code::UnsupportedForm, cat(key, " of batch or channels other than 1"));
  Ints out;
  for (const int64_t axis : format.spatial) out.push_back(all[static_cast<size_t>(axis)]);
  return out;
}

void set_window(Node& node, const DataFormat& format) {
  node.set("strides", spatial_numbers(node, "strides", format));
  node.set("dilations", spatial_numbers(node, "dilations", format));
  const std::string padding = node.get_string("padding");
  if (padding == "SAME" || padding == "VALID") {
    node.set("auto_pad", std::string(padding == "SAME" ? "SAME_UPPER" : "VALID"));
    return;
  }
  if (padding != "EXPLICIT") throw Error(Code::BadAttribute, cat("padding is '", printable(padding), "'"));
  const Ints pairs = node.get_ints("explicit_paddings");
  if (pairs.size() != 2 * format.spatial.size() + 4)
    throw Error(Code::BadAttribute, cat("explicit_paddings has ", pairs.size(), " numbers"));
  Ints pads;
  for (const size_t end : {0, 1})
    for (const int64_t axis : format.spatial) pads.push_back(pairs[2 * static_cast<size_t>(axis) + end]);
  node.set("pads", pads);
}

}  // namespace mo::tf

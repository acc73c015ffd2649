#include "core/front/paddle/extract/window.h"

#include "core/base/text.h"
#include "core/ops/spatial.h"

namespace mo::paddle {

bool channels_last(const Node& node, std::string_view attribute) {
  const std::string text = node.get_string(attribute, "NCHW");
  if (is_one_of(text, {"NHWC", "NDHWC", "NWC", "NLC"})) return true;
  if (!is_one_of(text, {"NCHW", "NCDHW", "NCW", "NCL", "NC", "AnyLayout", "ANYLAYOUT", ""}))
    throw Error(Code::BadAttribute, msg(attribute, " is '", printable(text), "'"));
  return false;
}

void set_last_channels(Node& node, size_t spatial_axes) {
  set_spatial_dims(node, SpatialDims::channels_last(spatial_axes));
}

Ints numbers_of(const Node& node, std::string_view attribute, size_t axes, int64_t otherwise) {
  Ints values = ints_of(node, attribute);
  if (values.size() == 1) values.resize(axes, values[0]);
  if (values.empty()) return Ints(axes, otherwise);
  if (values.size() != axes)
    throw Error(Code::BadAttribute, msg(attribute, " has ", values.size(), " numbers for ", axes, " axes"));
  return values;
}

SpatialWindow window_of(const Node& node, size_t axes) {
  SpatialWindow window(axes);
  window.strides = numbers_of(node, "strides", axes, 1);
  window.dilations = numbers_of(node, "dilations", axes, 1);
  const std::string algorithm = node.get_string("padding_algorithm", "EXPLICIT");
  if (algorithm == "SAME" || algorithm == "VALID") {
    window.auto_pad = algorithm == "SAME" ? AutoPad::SameUpper : AutoPad::Valid;
    if (algorithm == "SAME") window.dilations.assign(axes, 1);
    return window;
  }
  if (algorithm != "EXPLICIT" && !algorithm.empty())
    throw Error(Code::BadAttribute, msg("padding_algorithm is '", printable(algorithm), "'"));
  const Ints pads = ints_of(node, "paddings");
  if (pads.size() != 2 * axes) {
    window.pads_begin = window.pads_end = numbers_of(node, "paddings", axes, 0);
    return window;
  }
  for (size_t i = 0; i < axes; ++i) {
    window.pads_begin[i] = pads[2 * i];
    window.pads_end[i] = pads[2 * i + 1];
  }
  return window;
}

OutPort sizes_of(Node& node, std::string_view attribute) {
  const size_t tensors = inputs(node, attribute).size();
  if (tensors == 0 && ints_of(node, attribute).empty()) return {};
  return tensors == 1 ? int_list(node, attribute, {}, attribute) : int_list(node, {}, attribute, attribute);
}

}  // namespace mo::paddle

// Padding and cropping.

#include "core/base/text.h"
#include "core/front/paddle/extract/window.h"

namespace mo::paddle {
namespace {

const char* mode_of(const Node& node) {
  constexpr std::pair<std::string_view, const char*> kModes[] = {
      {"constant", "constant"}, {"reflect", "reflect"}, {"edge", "edge"}, {"replicate", "edge"}, {"circular", "wrap"}};
  const std::string given = node.get_string("mode", "constant");
  for (const auto& [name, own] : kModes)
    if (name == given) return own;
  throw Error(Code::BadAttribute, msg("mode is '", printable(given), "'"));
}

/// Pads of spatial axes, which a list or tensor has in the order `places`: all begins, then all ends.
void extract_spatial(Node& node, const Ints& places, std::string_view value) {
  const size_t axes = places.size() / 2;
  const bool last = channels_last(node);
  const char* mode = mode_of(node);
  const double filler = node.get_float(value, static_cast<double>(node.get_int(value)));
  Builder b(node);
  const OutPort x = required(node, "X");
  OutPort pads = input(node, "Paddings") ? int_list(node, "Paddings", {}, {}) : OutPort();
  if (pads) {
    const Ints first(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(axes)),
        second(places.begin() + static_cast<std::ptrdiff_t>(axes), places.end());
    const OutPort zero = b.i64({0}), zeros = b.i64({0, 0}), begins = b.gather(pads, b.i64(first), 0),
                  ends = b.gather(pads, b.i64(second), 0);
    pads = last ? b.concat({zero, begins, zeros, ends, zero}, 0) : b.concat({zeros, begins, zeros, ends}, 0);
  } else {
    const Ints given = numbers_of(node, "paddings", 2 * axes, 0);
    Ints list(2 * (axes + 2), 0);
    const size_t first = last ? 1 : 2;
    for (size_t i = 0; i < axes; ++i) {
      list[first + i] = given[static_cast<size_t>(places[i])];
      list[axes + 2 + first + i] = given[static_cast<size_t>(places[axes + i])];
    }
    pads = b.i64(list);
  }
  become(node, "ONNXPad", {x, pads}, {{"mode", mode}, {"value", filler}});
}

}  // namespace

/// Begins and ends of each axis in turn.
void extract_pad(Node& node) {
  const OutPort pads = sizes_of(node, "paddings");
  if (!pads) throw Error(Code::MissingAttribute, "paddings");
  Builder b(node);
  const OutPort x = required(node, "X"), pairs = b.reshape(pads, {-1, 2}, false);
  const OutPort value = b.scalar_like(x, node.get_float("pad_value"));
  become(node, "TFPad", {x, pairs, value}, {{"mode", "constant"}});
}

/// top, bottom, left, right
void extract_pad2d(Node& node) { extract_spatial(node, {0, 2, 1, 3}, "pad_value"); }
/// left, right, top, bottom, front, back
void extract_pad3d(Node& node) { extract_spatial(node, {4, 2, 0, 5, 3, 1}, "value"); }

/// Y in the size of X.
void extract_pad_constant_like(Node& node) {
  Builder b(node);
  const OutPort x = required(node, "X"), y = required(node, "Y");
  const OutPort from = b.shape_of(y);
  const OutPort more = b.op("Sub", {b.shape_of(x), from}), none = b.op("Sub", {from, from});
  become(node, "Pad", {y, none, more, b.scalar_like(y, node.get_float("pad_value"))}, {{"mode", "constant"}});
}

/// The part from the offsets on; a size of -1 is the rest.
void extract_crop(Node& node) {
  Builder b(node);
  const OutPort x = required(node, "X");
  OutPort sizes, offsets = inputs(node, "OffsetsTensor").empty() ? int_list(node, "Offsets", {}, "offsets")
                                                                 : int_list(node, {}, "OffsetsTensor", {});
  if (const OutPort like = input(node, "Y"))
    sizes = b.shape_of(like);
  else
    sizes = inputs(node, "ShapeTensor").empty() ? int_list(node, "Shape", {}, "shape")
                                                : int_list(node, {}, "ShapeTensor", {});
  if (!sizes) throw Error(Code::MissingAttribute, "shape");
  if (!offsets ||
      (!input(node, "Offsets") && inputs(node, "OffsetsTensor").empty() && ints_of(node, "offsets").empty()))
    offsets = b.op("Sub", {sizes, sizes});
  become(node, "TFSlice", {x, offsets, sizes});
}

}  // namespace mo::paddle

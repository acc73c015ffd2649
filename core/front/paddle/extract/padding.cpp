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

/// Zeros for the axes around the spatial ones.
OutPort of_all_axes(Builder& b, OutPort spatial, bool last) {
  const OutPort zero = b.i64({0});
  return last ? b.concat({zero, spatial, zero}, 0) : b.concat({b.i64({0, 0}), spatial}, 0);
}

/// Pads of spatial axes, which a list or tensor has at `begins` and `ends`.
void extract_spatial(Node& node, const Ints& begins, const Ints& ends, std::string_view value) {
  const bool last = channels_last(node);
  const std::string mode = mode_of(node);
  const double filler = node.get_float(value, static_cast<double>(node.get_int(value)));
  Builder b(node);
  const OutPort x = required(node, "X"),
                given = input(node, "Paddings") ? int_list(node, "Paddings", {}, {}) : OutPort();
  const Ints list = given ? Ints() : numbers_of(node, "paddings", 2 * begins.size(), 0);
  const auto part = [&](const Ints& places) {
    if (given) return of_all_axes(b, b.gather(given, b.i64(places), 0), last);
    Ints all(last ? 1 : 2, 0);
    for (const int64_t place : places) all.push_back(list[static_cast<size_t>(place)]);
    all.resize(places.size() + 2, 0);
    return b.i64(all);
  };
  const OutPort begin = part(begins), end = part(ends);
  if (mode == "wrap") return become(node, "ONNXPad", {x, b.concat({begin, end}, 0)}, {{"mode", mode}});
  if (mode != "constant") return become(node, "Pad", {x, begin, end}, {{"mode", mode}});
  become(node, "Pad", {x, begin, end, b.scalar_like(x, filler)}, {{"mode", mode}});
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
void extract_pad2d(Node& node) { extract_spatial(node, {0, 2}, {1, 3}, "pad_value"); }
/// left, right, top, bottom, front, back
void extract_pad3d(Node& node) { extract_spatial(node, {4, 2, 0}, {5, 3, 1}, "value"); }

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

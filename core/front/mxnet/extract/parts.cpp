// Operators that take parts of tensors, or put them in.

#include <algorithm>

#include "core/front/mxnet/extract/window.h"

namespace mo::mxnet {
namespace {

/// begin, end and step of the first axes; None is the end of the axis in the direction of the step.
struct Stretches {
  Ints start, stop, step, axes;
};

Stretches stretches_of(const Node& node) {
  const auto begin = optional_ints_of(node, "begin"), end = optional_ints_of(node, "end"),
             step = optional_ints_of(node, "step");
  if (begin.size() != end.size() || (!step.empty() && step.size() != begin.size()))
    throw Error(Code::BadAttribute, msg(begin.size(), " begins and ", end.size(), " ends"));
  Stretches out;
  for (size_t i = 0; i < begin.size(); ++i) {
    const int64_t by = i < step.size() && step[i] ? *step[i] : 1;
    if (by == 0) throw Error(Code::BadAttribute, "a step is 0");
    out.step.push_back(by);
    out.start.push_back(begin[i].value_or(by > 0 ? 0 : -1));
    out.stop.push_back(end[i].value_or(by > 0 ? INT64_MAX : INT64_MIN));
    out.axes.push_back(static_cast<int64_t>(i));
  }
  return out;
}

void become_slice(Node& node, OutPort x, const Stretches& part) {
  Builder b(node);
  const OutPort start = b.i64(part.start), stop = b.i64(part.stop), step = b.i64(part.step), axes = b.i64(part.axes);
  become(node, "Slice", {x, start, stop, step, axes});
}

/// The parts, without the axis along which they are cut if they have one element there.
void give_parts(Node& node, Builder& b, Node& split, int64_t count, int64_t axis, bool squeeze) {
  std::vector<OutPort> parts;
  for (int i = 0; i < static_cast<int>(count); ++i)
    parts.push_back(squeeze ? b.squeeze(split.out(i), {axis}) : split.out(i));
  give(node, parts);
}

constexpr int64_t kMostParts = 1 << 16;

/// Equal parts.
void split_equally(Node& node, int64_t count, int64_t axis, bool squeeze) {
  const OutPort x = required(node, 0);
  if (count < 1 || count > kMostParts) throw Error(Code::BadAttribute, msg(count, " parts"));
  Builder b(node);
  if (count == 1) return give(node, {squeeze ? b.squeeze(x, {axis}) : x});
  const OutPort along = b.i64_scalar(axis);
  give_parts(node, b, b.node("Split", {x, along}, {{"num_splits", count}}, static_cast<int>(count)), count, axis,
             squeeze);
}

/// Parts that begin at these indices, or equal ones.
void split_at(Node& node, int64_t axis, bool squeeze) {
  const int64_t sections = int_of(node, "sections");
  if (sections > 0) return split_equally(node, sections, axis, squeeze);
  const OutPort x = required(node, 0);
  const Ints begins = ints_of(node, "indices");
  const auto count = static_cast<int64_t>(begins.size());
  if (count < 1 || count > kMostParts) throw Error(Code::BadAttribute, msg(count, " parts"));
  Ints lengths;
  for (size_t i = 0; i + 1 < begins.size(); ++i) {
    if (begins[i + 1] < begins[i]) throw Error(Code::BadAttribute, "indices are not in order");
    lengths.push_back(begins[i + 1] - begins[i]);
  }
  lengths.push_back(-1);
  Builder b(node);
  if (count == 1) return give(node, {squeeze ? b.squeeze(x, {axis}) : x});
  const OutPort along = b.i64_scalar(axis), sizes = b.i64(lengths);
  give_parts(node, b, b.node("VariadicSplit", {x, along, sizes}, {}, static_cast<int>(count)), count, axis, squeeze);
}

}  // namespace

void extract_slice(Node& node) {
  const OutPort x = required(node, 0);
  become_slice(node, x, stretches_of(node));
}

void extract_slice_axis(Node& node) {
  const OutPort x = required(node, 0);
  const int64_t axis = required_int(node, "axis");
  become_slice(node, x, {{required_int(node, "begin")}, {int_of(node, "end", INT64_MAX)}, {1}, {axis}});
}

/// In the size of another tensor, along all axes or some.
void extract_slice_like(Node& node) {
  const OutPort x = required(node, 0), like = required(node, 1);
  const Ints axes = ints_of(node, "axes");
  if (axes.empty()) return become(node, "CroppedLike", {x, like}, {{"axis", 0}, {"offset", Ints{0}}});
  Builder b(node);
  const OutPort along = b.i64(axes);
  become(node, "SlicedLike", {x, like, along});
}

/// Pictures in the size of another one, or of h_w, from an offset on or from the middle.
void extract_crop(Node& node) {
  const OutPort x = required(node, 0);
  const bool like = limited_int(node, "num_args", 1, 1, 2) == 2;
  const Ints offset = ints_of(node, "offset", {0, 0}), size = ints_of(node, "h_w", {0, 0});
  if (offset.size() != 2 || size.size() != 2) throw Error(Code::BadAttribute, "offset and h_w are two numbers each");
  const bool centre = bool_of(node, "center_crop");
  if (like && !centre) return become(node, "CroppedLike", {x, required(node, 1)}, {{"axis", 2}, {"offset", offset}});
  Builder b(node);
  if (centre) {
    const OutPort sizes = like ? b.dims_of(required(node, 1), {2, 3}) : b.i64(size);
    return become(node, "CropOfCentre", {x, sizes});
  }
  become_slice(node, x, {offset, {offset[0] + size[0], offset[1] + size[1]}, {1, 1}, {2, 3}});
}

void extract_slice_channel(Node& node) {
  split_equally(node, required_int(node, "num_outputs"), int_of(node, "axis", 1), bool_of(node, "squeeze_axis"));
}

void extract_split_v2(Node& node) { split_at(node, int_of(node, "axis", 1), bool_of(node, "squeeze_axis")); }
void extract_dsplit(Node& node) { split_at(node, 2, false); }

void extract_slice_assign(Node& node) {
  const OutPort x = required(node, 0), value = required(node, 1);
  const Stretches part = stretches_of(node);
  Builder b(node);
  const OutPort start = b.i64(part.start), stop = b.i64(part.stop), step = b.i64(part.step);
  become(node, "SetValue", {x, value, start, stop, step},
         {{"axes", part.axes}, {"dropped", Ints{}}, {"added", Ints{}}});
}

void extract_slice_assign_scalar(Node& node) {
  const OutPort x = required(node, 0);
  const Stretches part = stretches_of(node);
  Builder b(node);
  const OutPort value = b.scalar_like(x, float_of(node, "scalar"));
  const OutPort start = b.i64(part.start), stop = b.i64(part.stop), step = b.i64(part.step);
  become(node, "SetValue", {x, value, start, stop, step},
         {{"axes", part.axes}, {"dropped", Ints{}}, {"added", Ints{}}});
}

namespace {

void triangle(Node& node, bool upper) {
  const OutPort x = required(node, 0), k = Builder(node).i64_scalar(int_of(node, "k"));
  become(node, "Trilu", {x, k}, {{"upper", upper}});
}

}  // namespace

void extract_tril(Node& node) { triangle(node, false); }
void extract_triu(Node& node) { triangle(node, true); }

/// Differences of neighbours, several times.
void extract_diff(Node& node) {
  OutPort x = required(node, 0);
  const int64_t count = limited_int(node, "n", 1, 0, 64), axis = int_of(node, "axis", -1);
  Builder b(node);
  for (int64_t i = 0; i < count; ++i) {
    const auto part = [&](int64_t from, int64_t to) {
      const OutPort start = b.i64({from}), stop = b.i64({to}), step = b.i64({1}), axes = b.i64({axis});
      return b.op("Slice", {x, start, stop, step, axes});
    };
    const OutPort behind = part(1, INT64_MAX), before = part(0, -1);
    x = b.op("Sub", {behind, before});
  }
  give(node, {x});
}

/// A begin and an end for each axis, as pairs.
void extract_np_pad(Node& node) {
  const OutPort x = required(node, 0);
  const std::string mode = choice_of(node, "mode", "constant", {"constant", "edge", "reflect", "symmetric"});
  if (text_of(node, "reflect_type", "even") != "even") throw Error(Code::UnsupportedForm, "odd reflection");
  std::string widths = text_of(node, "pad_width");
  widths.erase(std::remove_if(widths.begin(), widths.end(), [](char c) { return c == '(' || c == ')'; }), widths.end());
  node.set("pad_width", widths);
  const Ints pads = ints_of(node, "pad_width");
  if (pads.empty() || pads.size() % 2 != 0) throw Error(Code::BadAttribute, msg(pads.size(), " numbers of pad_width"));
  Ints begins, ends;
  for (size_t i = 0; i < pads.size(); ++i) (i % 2 == 0 ? begins : ends).push_back(pads[i]);
  Builder b(node);
  const OutPort begin = b.i64(begins), end = b.i64(ends);
  std::vector<OutPort> sources{x, begin, end};
  if (mode == "constant") sources.push_back(b.scalar_like(x, float_of(node, "constant_value")));
  become(node, "Pad", sources, {{"mode", mode}});
}

/// The elements of each window, and back: their sums.
void extract_im2col(Node& node) {
  const OutPort x = required(node, 0);
  const SpatialWindow window = window_of(node);
  become(node, "Patches", {x});
  window.set(node);
}

void extract_col2im(Node& node) {
  const OutPort x = required(node, 0);
  const SpatialWindow window = window_of(node);
  const Ints size = ints_of(node, "output_size");
  Builder b(node);
  const OutPort image = b.i64(size), block = b.i64(window.kernel);
  become(node, "Col2Im", {x, image, block});
  window.set(node);
  node.attributes.erase("kernel_shape");
}

}  // namespace mo::mxnet

// Views: other shapes, other orders of axes, more and fewer axes.

#include <algorithm>
#include <numeric>

#include "core/base/text.h"
#include "core/front/pytorch/extract/extractor.h"

namespace mo::pytorch {
namespace {

void reorder(Node& node, const Ints& order) {
  become(node, "AttributedTranspose", {required(node, "self")}, {{"perm", order}});
}

void swap_axes(Node& node, std::string_view first, std::string_view second) {
  const int64_t rank = rank_of(node, "self");
  if (rank < 2) return give(node, {required(node, "self")});
  Ints order(static_cast<size_t>(rank));
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[static_cast<size_t>(axis_of(node, first, rank))],
            order[static_cast<size_t>(axis_of(node, second, rank))]);
  reorder(node, order);
}

/// Of the axes those with one element.
void squeeze(Node& node, Ints axes) {
  const Ints sizes = sizes_of(node, "self");
  std::erase_if(axes, [&](int64_t axis) {
    return axis >= static_cast<int64_t>(sizes.size()) || sizes[static_cast<size_t>(axis)] != 1;
  });
  if (axes.empty()) return give(node, {required(node, "self")});
  if (static_cast<int64_t>(sizes.size() - axes.size()) != result_rank(node))
    throw Error(Code::UnsupportedForm, "a dimension that may be 1");
  const OutPort x = required(node, "self"), list = Builder(node).i64(axes);
  become(node, "Squeeze", {x, list});
}

}  // namespace

void extract_identity(Node& node) { give(node, {required(node, "self")}); }
void extract_input(Node& node) { give(node, {required(node, "input")}); }

/// In training elements would be left out. The argument of the form in place is "self".
void extract_dropout(Node& node) {
  if (int_of(node, "train") != 0 && number_of(node, "p") != 0)
    throw Error(Code::UnsupportedForm, "dropout of training: call model.eval() before the export");
  give(node, {required(node, input(node, "input") ? "input" : "self")});
}

/// Of known sizes -1 stands for what is computed, if that is one.
void extract_view(Node& node) {
  const char* argument = is_given(node, "shape") ? "shape" : "size";
  Ints sizes = result_sizes(node);
  const OutPort x = required(node, "self");
  Builder b(node);
  // A view of the same elements as another type has no sizes. Complex numbers have the type of their parts.
  if (!is_given(node, argument) &&
      (type_of(node, "self") != result_type(node) || std::count(sizes.begin(), sizes.end(), -1) > 1))
    throw Error(Code::UnsupportedForm, "a view of the bytes as another type");
  if (std::count(sizes.begin(), sizes.end(), -1) <= 1 && std::find(sizes.begin(), sizes.end(), 0) == sizes.end()) {
    const OutPort to = b.i64(sizes);
    return become(node, "Reshape", {x, to}, {{"special_zero", false}});
  }
  const OutPort to = int_list(node, b, argument);
  become(node, "Reshape", {x, to}, {{"special_zero", false}});
}

void extract_view_as(Node& node) {
  const OutPort x = required(node, "self"), other = required(node, "other");
  Builder b(node);
  Ints sizes = result_sizes(node);
  const bool is_known =
      std::count(sizes.begin(), sizes.end(), -1) <= 1 && std::find(sizes.begin(), sizes.end(), 0) == sizes.end();
  const OutPort to = is_known ? b.i64(sizes) : b.shape_of(other);
  become(node, "Reshape", {x, to}, {{"special_zero", false}});
}

void extract_flatten(Node& node) {
  const int64_t rank = rank_of(node, "self"), begin = axis_of(node, "start_dim", rank),
                end = axis_of(node, "end_dim", rank);
  const OutPort x = required(node, "self");
  if (rank == 0) return become(node, "Reshape", {x, Builder(node).i64({1})}, {{"special_zero", false}});
  if (end < begin) throw Error(Code::BadAttribute, msg("end_dim is ", end));
  if (begin == end) return give(node, {x});
  become(node, "ReshapedAxes", {x}, {{"shape", Ints{-1}}, {"begin", begin}, {"end", end + 1}});
}

void extract_ravel(Node& node) {
  const OutPort x = required(node, "self"), list = Builder(node).i64({-1});
  become(node, "Reshape", {x, list}, {{"special_zero", false}});
}

void extract_unflatten(Node& node) {
  const int64_t rank = rank_of(node, "self"), axis = axis_of(node, "dim", rank);
  const OutPort x = required(node, "self");
  if (inputs(node, "sizes").empty())
    return become(node, "ReshapedAxes", {x}, {{"shape", ints_of(node, "sizes")}, {"begin", axis}, {"end", axis + 1}});
  Builder b(node);
  std::vector<OutPort> parts;
  Ints before(static_cast<size_t>(axis)), behind(static_cast<size_t>(rank - axis - 1));
  std::iota(before.begin(), before.end(), 0);
  std::iota(behind.begin(), behind.end(), axis + 1);
  if (!before.empty()) parts.push_back(b.dims_of(x, before));
  parts.push_back(int_list(node, b, "sizes"));
  if (!behind.empty()) parts.push_back(b.dims_of(x, behind));
  const OutPort to = parts.size() == 1 ? parts[0] : b.concat(parts, 0);
  become(node, "Reshape", {x, to}, {{"special_zero", false}});
}

void extract_transpose(Node& node) { swap_axes(node, "dim0", "dim1"); }
void extract_swapaxes(Node& node) {
  swap_axes(node, node.has("axis0") ? "axis0" : "dim0", node.has("axis1") ? "axis1" : "dim1");
}
void extract_permute(Node& node) {
  const int64_t rank = rank_of(node, "self");
  const Ints order = axes_of(node, "dims", rank);
  if (rank == 0) return give(node, {required(node, "self")});
  reorder(node, order);
}
void extract_t(Node& node) { rank_of(node, "self") < 2 ? give(node, {required(node, "self")}) : reorder(node, {1, 0}); }
void extract_numpy_t(Node& node) {
  if (rank_of(node, "self") < 2) return give(node, {required(node, "self")});
  become(node, "AttributedTranspose", {required(node, "self")});
}
void extract_last_two(Node& node) {
  Ints order(static_cast<size_t>(rank_of(node, "self")));
  std::iota(order.begin(), order.end(), 0);
  if (order.size() > 1) std::swap(order[order.size() - 1], order[order.size() - 2]);
  reorder(node, order);
}

/// Axes come to other places; the others keep their order.
void extract_movedim(Node& node) {
  const int64_t rank = rank_of(node, "self");
  const Ints from = axes_of(node, "source", rank), to = axes_of(node, "destination", rank);
  if (from.size() != to.size()) throw Error(Code::BadAttribute, msg(to.size(), " places for ", from.size(), " axes"));
  Ints order(static_cast<size_t>(rank), -1);
  for (size_t i = 0; i < from.size(); ++i) order[static_cast<size_t>(to[i])] = from[i];
  int64_t next = 0;
  for (int64_t& axis : order) {
    if (axis >= 0) continue;
    while (std::find(from.begin(), from.end(), next) != from.end()) ++next;
    axis = next++;
  }
  reorder(node, order);
}

void extract_unsqueeze(Node& node) {
  const OutPort x = required(node, "self"), axis = Builder(node).i64({axis_of(node, "dim", rank_of(node, "self") + 1)});
  become(node, "Unsqueeze", {x, axis});
}

void extract_squeeze(Node& node) {
  const int64_t rank = rank_of(node, "self");
  if (node.has("dim")) return squeeze(node, axes_of(node, "dim", rank));
  Ints all(static_cast<size_t>(rank));
  std::iota(all.begin(), all.end(), 0);
  squeeze(node, all);
}

/// -1 is the dimension of x.
void extract_expand(Node& node) {
  const OutPort x = required(node, "self");
  Builder b(node);
  Ints sizes = node.get_ints("size");
  for (int64_t& size : sizes)
    if (size == -1) size = 1;
  node.set("size", sizes);
  const OutPort shape = int_list(node, b, "size");
  become(node, "Expand", {x, shape});
}

void extract_expand_as(Node& node) {
  const OutPort x = required(node, "self"), shape = Builder(node).shape_of(required(node, "other"));
  become(node, "Expand", {x, shape});
}

/// The shape of both together.
void extract_repeat(Node& node) {
  const OutPort x = required(node, "self");
  Builder b(node);
  const OutPort times = int_list(node, b, node.has("repeats") ? "repeats" : "dims");
  become(node, "Tile", {x, times});
}

void extract_repeat_interleave(Node& node) {
  OutPort x = required(node, "self");
  Builder b(node);
  if (!node.has("dim")) x = b.reshape(x, {-1}, false);
  const int64_t axis = node.has("dim") ? axis_of(node, "dim", rank_of(node, "self")) : 0;
  if (const OutPort counts = input(node, "repeats")) return become(node, "RepeatedBy", {x, counts}, {{"axis", axis}});
  become(node, "Repeated", {x}, {{"axis", axis}, {"count", int_of(node, "repeats")}});
}

void extract_channel_shuffle(Node& node) {
  become(node, "ShuffleChannels", {required(node, "self")}, {{"axis", 1}, {"group", int_of(node, "groups")}});
}

void extract_pixel_shuffle(Node& node) {
  become(node, "DepthToSpace", {required(node, "self")},
         {{"block_size", int_of(node, "upscale_factor")}, {"mode", "depth_first"}});
}
void extract_pixel_unshuffle(Node& node) {
  become(node, "SpaceToDepth", {required(node, "self")},
         {{"block_size", int_of(node, "downscale_factor")}, {"mode", "depth_first"}});
}

}  // namespace mo::pytorch

// Operators that give the elements of a tensor another shape, or their dimensions another order.

#include <algorithm>

#include "core/front/mxnet/extract/extractor.h"

namespace mo::mxnet {
namespace {

constexpr int64_t kRest = -1;

/// Reshape by a list of codes; the usual ones need no rank.
void reshape(Node& node, const Ints& shape, bool reverse) {
  const OutPort x = required(node, 0);
  const bool plain = std::all_of(shape.begin(), shape.end(), [](int64_t size) { return size >= kRest; });
  if (plain && (!reverse || std::find(shape.begin(), shape.end(), 0) == shape.end()))
    return become(node, "AttributedReshape", {x}, {{"shape", shape}});
  become(node, "CodedReshape", {x}, {{"shape", shape}, {"reverse", reverse}});
}

/// The axes `from` come to the places `to`; the others keep their order.
void move_axes(Node& node, OutPort x, const Ints& from, const Ints& to) {
  if (from.size() != to.size()) throw Error(Code::BadAttribute, msg(from.size(), " axes for ", to.size(), " places"));
  become(node, "MovedAxes", {x}, {{"source", from}, {"destination", to}});
}

}  // namespace

/// Before `shape` there was target_shape, whose 0 is the rest.
void extract_reshape(Node& node) {
  Ints shape = ints_of(node, "shape");
  if (!shape.empty()) return reshape(node, shape, bool_of(node, "reverse"));
  shape = ints_of(node, "target_shape");
  const bool keep = bool_of(node, "keep_highest");
  for (size_t i = 0; i < shape.size(); ++i)
    if (shape[i] == 0 && !(keep && i == 0)) shape[i] = kRest;
  if (shape.empty()) throw Error(Code::MissingAttribute, "shape");
  if (keep) shape[0] = 0;
  reshape(node, shape, false);
}

/// NumPy's, without codes but the rest.
void extract_np_reshape(Node& node) {
  if (text_of(node, "order", "C") != "C") throw Error(Code::UnsupportedForm, "an order of elements other than C");
  const Ints shape = ints_of(node, "newshape");
  become(node, "AttributedReshape", {required(node, 0)}, {{"shape", shape}, {"allowzero", true}});
}

/// The codes of NPX: -1 the rest, -2 as it is, -3 a dimension of 1 less, -4 all that are left, -5 the product of two,
/// -6 two of one; Reshape's are 0, -2, -3 and -4 for these.
void extract_npx_reshape(Node& node) {
  if (text_of(node, "order", "C") != "C") throw Error(Code::UnsupportedForm, "an order of elements other than C");
  Ints shape = ints_of(node, "newshape");
  const bool reverse = bool_of(node, "reverse");
  for (int64_t& size : shape) {
    if (size < -6) throw Error(Code::BadAttribute, msg(std::string("newshape"), " holds ", size));
    constexpr int64_t kCodes[] = {0, -1, 0, -5, -2, -3, -4};  // -5: a dimension of 1 less
    if (size < 0) size = kCodes[-size];
  }
  reshape(node, shape, reverse);
}

/// All dimensions but the first become one.
void extract_flatten(Node& node) { become(node, "AttributedReshape", {required(node, 0)}, {{"shape", Ints{0, -1}}}); }

void extract_transpose(Node& node) {
  const Ints axes = ints_of(node, "axes");
  const OutPort x = required(node, 0);
  become(node, "AttributedTranspose", {x}, axes.empty() ? Attributes{} : Attributes{{"perm", axes}});
}

void extract_expand_dims(Node& node) {
  const OutPort x = required(node, 0);
  become(node, "ExpandDims", {x}, {{"axes", Ints{required_int(node, "axis")}}});
}

void extract_squeeze(Node& node) {
  const OutPort x = required(node, 0);
  const Ints axes = ints_of(node, "axis");
  become(node, "AttributedSqueeze", {x}, axes.empty() ? Attributes{} : Attributes{{"axes", axes}});
}

void extract_swap_axis(Node& node) {
  const OutPort x = required(node, 0);
  const int64_t first = int_of(node, "dim1"), second = int_of(node, "dim2");
  if (first == second) return give(node, {x});
  move_axes(node, x, {first, second}, {second, first});
}

void extract_moveaxis(Node& node) {
  const OutPort x = required(node, 0);
  move_axes(node, x, ints_of(node, "source"), ints_of(node, "destination"));
}

/// Quarter turns in the plane of two axes.
void extract_rot90(Node& node) {
  const OutPort x = required(node, 0);
  const Ints axes = ints_of(node, "axes", {0, 1});
  const int64_t turns = ((int_of(node, "k", 1) % 4) + 4) % 4;
  if (axes.size() != 2) throw Error(Code::BadAttribute, msg(axes.size(), " axes of a plane"));
  Builder b(node);
  const auto reversed = [&](OutPort y, const Ints& along) { return b.op("ReverseV2", {y, b.i64(along)}); };
  const auto swapped = [&](OutPort y) {
    return b.op("MovedAxes", {y}, Attributes{{"source", axes}, {"destination", Ints{axes[1], axes[0]}}});
  };
  if (turns == 0) return give(node, {x});
  if (turns == 2) return give(node, {reversed(x, axes)});
  give(node, {turns == 1 ? swapped(reversed(x, {axes[1]})) : reversed(swapped(x), {axes[1]})});
}

/// Channels to blocks of space, the block's place first, and back.
void extract_depth_to_space(Node& node) {
  const OutPort x = required(node, 0);
  const int64_t block = limited_int(node, "block_size", 0, 1, 1 << 16);
  become(node, "DepthToSpace", {x}, {{"block_size", block}, {"mode", "blocks_first"}});
}

void extract_space_to_depth(Node& node) {
  const OutPort x = required(node, 0);
  const int64_t block = limited_int(node, "block_size", 0, 1, 1 << 16);
  become(node, "SpaceToDepth", {x}, {{"block_size", block}, {"mode", "blocks_first"}});
}

/// In the shape of another tensor, or some dimensions in the sizes of some of its.
void extract_reshape_like(Node& node) {
  const OutPort x = required(node, 0), like = required(node, 1);
  Builder b(node);
  const auto limit = [&](const char* key, int64_t otherwise) { return b.i64({int_of(node, key, otherwise)}); };
  const OutPort from = limit("lhs_begin", 0), to = limit("lhs_end", INT32_MAX);
  const OutPort first = limit("rhs_begin", 0), last = limit("rhs_end", INT32_MAX);
  if (!is_given(node, "lhs_begin") && !is_given(node, "lhs_end") && !is_given(node, "rhs_begin") &&
      !is_given(node, "rhs_end")) {
    const OutPort shape = b.shape_of(like);
    return become(node, "Reshape", {x, shape}, {{"special_zero", false}});
  }
  become(node, "ReshapedLike", {x, like, from, to, first, last});
}

void extract_shape_array(Node& node) {
  become(node, "ShapeOf", {required(node, 0)}, {{"output_type", ElementType::I64}});
}
void extract_size_array(Node& node) { become(node, "SizeList", {required(node, 0)}); }

void extract_reverse(Node& node) {
  const OutPort x = required(node, 0);
  const Ints axes = ints_of(node, "axis");
  if (axes.empty()) throw Error(Code::MissingAttribute, "axis");
  Builder b(node);
  const OutPort along = b.i64(axes);
  become(node, "ReverseV2", {x, along});
}

void extract_roll(Node& node) {
  const OutPort x = required(node, 0);
  const Ints shifts = ints_of(node, "shift"), axes = ints_of(node, "axis");
  Builder b(node);
  const OutPort by = b.i64(shifts);
  if (!axes.empty()) {
    if (shifts.size() != 1 && shifts.size() != axes.size())
      throw Error(Code::BadAttribute, msg(shifts.size(), " shifts for ", axes.size(), " axes"));
    const OutPort each = shifts.size() == axes.size() ? by : b.i64(Ints(axes.size(), shifts[0]));
    const OutPort along = b.i64(axes);
    return become(node, "Roll", {x, each, along});
  }
  const OutPort shape = b.shape_of(x), list = b.reshape(x, {-1}, false), zero = b.i64({0});
  const OutPort rolled = b.op("Roll", {list, by, zero});
  become(node, "Reshape", {rolled, shape}, {{"special_zero", false}});
}

/// The diagonal of two axes, or a matrix with the list as its diagonal.
void extract_diag(Node& node) {
  const OutPort x = required(node, 0);
  Builder b(node);
  const OutPort k = b.i64_scalar(int_of(node, "k"));
  become(node, "DiagonalOrMatrix", {x, k}, {{"axis1", int_of(node, "axis1")}, {"axis2", int_of(node, "axis2", 1)}});
}

/// The diagonal of all elements.
void extract_diagflat(Node& node) {
  Builder b(node);
  const OutPort list = b.reshape(required(node, 0), {-1}, false), k = b.i64_scalar(int_of(node, "k"));
  become(node, "DiagonalOrMatrix", {list, k}, {{"axis1", int64_t{0}}, {"axis2", int64_t{1}}});
}

void extract_diagonal(Node& node) {
  const OutPort x = required(node, 0);
  Builder b(node);
  const OutPort k = b.i64_scalar(int_of(node, "offset"));
  become(node, "Diagonal", {x, k}, {{"axis1", int_of(node, "axis1")}, {"axis2", int_of(node, "axis2", 1)}});
}

void extract_trace(Node& node) {
  become(node, "Trace", {required(node, 0)},
         {{"offset", int_of(node, "offset")}, {"axis1", int_of(node, "axis1")}, {"axis2", int_of(node, "axis2", 1)}});
}

}  // namespace mo::mxnet

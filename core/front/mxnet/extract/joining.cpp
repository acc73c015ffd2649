// Operators that join tensors, repeat their elements, or broadcast them.

#include <algorithm>

#include "core/front/mxnet/extract/extractor.h"

namespace mo::mxnet {
namespace {

void join_along(Node& node, int64_t axis) {
  const std::vector<OutPort> parts = all_inputs(node);
  if (parts.size() == 1) return give(node, parts);
  become(node, "Concat", parts, {{"axis", axis}});
}

/// Of tensors of fewer dimensions, as NumPy's vstack, dstack and column_stack do.
void join_of_rank(Node& node, const char* form, int64_t axis) {
  std::vector<OutPort> parts = all_inputs(node);
  Builder b(node);
  for (OutPort& part : parts) part = b.op("OfRankAtLeast", {part}, {{"form", form}});
  if (parts.size() == 1) return give(node, parts);
  become(node, "Concat", parts, {{"axis", axis}});
}

void repeat(Node& node, OutPort x, int64_t count, int64_t axis) {
  if (count < 1) throw Error(Code::BadAttribute, msg(std::string("repeats"), " is ", count));
  become(node, "Repeated", {x}, {{"axis", axis}, {"count", count}});
}

}  // namespace

void extract_concat(Node& node) { join_along(node, int_of(node, "dim", 1)); }

/// Without an axis the elements of all.
void extract_np_concatenate(Node& node) {
  if (node.attributes.find("axis") && !is_given(node, "axis")) {
    std::vector<OutPort> parts = all_inputs(node);
    Builder b(node);
    for (OutPort& part : parts) part = b.reshape(part, {-1}, false);
    return become(node, "Concat", parts, {{"axis", 0}});
  }
  join_along(node, int_of(node, "axis"));
}

void extract_vstack(Node& node) { join_of_rank(node, "rows", 0); }
void extract_hstack(Node& node) { join_of_rank(node, "list", -1); }
void extract_dstack(Node& node) { join_of_rank(node, "depth", 2); }
void extract_column_stack(Node& node) { join_of_rank(node, "columns", 1); }

namespace {

/// Each tensor for itself.
void raise_ranks(Node& node, const char* form) {
  std::vector<OutPort> tensors = all_inputs(node);
  Builder b(node);
  for (OutPort& x : tensors) x = b.op("OfRankAtLeast", {x}, {{"form", form}});
  give(node, tensors);
}

}  // namespace

void extract_atleast_1d(Node& node) { raise_ranks(node, "list"); }
void extract_atleast_2d(Node& node) { raise_ranks(node, "rows"); }
void extract_atleast_3d(Node& node) { raise_ranks(node, "depth"); }

void extract_stack(Node& node) {
  const std::vector<OutPort> parts = all_inputs(node);
  become(node, "Pack", parts, {{"axis", int_of(node, "axis")}});
}

void extract_tile(Node& node) {
  const OutPort x = required(node, 0);
  const Ints counts = ints_of(node, "reps");
  Builder b(node);
  const OutPort repeats = b.i64(counts);
  become(node, "AttributedTile", {x, repeats});
}

/// Each slice so many times; without an axis each element.
void extract_repeat(Node& node) {
  const OutPort x = required(node, 0);
  const int64_t count = required_int(node, "repeats");
  if (is_given(node, "axis")) return repeat(node, x, count, int_of(node, "axis"));
  const OutPort list = Builder(node).reshape(x, {-1}, false);
  repeat(node, list, count, 0);
}

/// 0 leaves a dimension as it is.
void extract_broadcast_to(Node& node) {
  const OutPort x = required(node, 0);
  Ints shape = ints_of(node, "shape");
  for (int64_t& size : shape)
    if (size == 0) size = 1;
  Builder b(node);
  const OutPort target = b.i64(shape);
  become(node, "Expand", {x, target});
}

void extract_np_broadcast_to(Node& node) {
  const OutPort x = required(node, 0);
  Ints shape = ints_of(node, "shape");
  for (int64_t& size : shape)
    if (size == -2) size = 1;
  Builder b(node);
  const OutPort target = b.i64(shape);
  become(node, "Expand", {x, target});
}

/// Dimensions of 1 in these sizes.
void extract_broadcast_axis(Node& node) {
  OutPort x = required(node, 0);
  const Ints axes = ints_of(node, "axis"), sizes = ints_of(node, "size");
  if (axes.size() != sizes.size())
    throw Error(Code::BadAttribute, msg(axes.size(), " axes and ", sizes.size(), " sizes"));
  Builder b(node);
  for (size_t i = 0; i < axes.size(); ++i) {
    const OutPort count = b.i64_scalar(sizes[i]), axis = b.i64_scalar(axes[i]);
    x = b.op("AttributedTile", {x, count, axis});
  }
  give(node, {x});
}

/// In the shape of another tensor, or some dimensions in the sizes of some of its.
void extract_broadcast_like(Node& node) {
  const OutPort x = required(node, 0), like = required(node, 1);
  const Ints own = ints_of(node, "lhs_axes"), other = ints_of(node, "rhs_axes");
  if (own.size() != other.size()) throw Error(Code::BadAttribute, msg(own.size(), " axes for ", other.size()));
  Builder b(node);
  if (own.empty()) {
    const OutPort shape = b.shape_of(like);
    return become(node, "Broadcast", {x, shape}, {{"mode", "numpy"}});
  }
  const OutPort at = b.i64(own), from = b.i64(other);
  become(node, "BroadcastLike", {x, like, at, from});
}

/// Sums of products along as many last axes of the one and first axes of the other, or along these axes.
void extract_tensordot_int_axes(Node& node) {
  const OutPort x = required(node, 0), y = required(node, 1);
  const int64_t count = limited_int(node, "axes", 0, 0, 16);
  Ints last, first;
  for (int64_t i = 0; i < count; ++i) {
    last.push_back(i - count);
    first.push_back(i);
  }
  become(node, "TensorProduct", {x, y}, {{"a_axes", last}, {"b_axes", first}});
}

void extract_tensordot(Node& node) {
  const OutPort x = required(node, 0), y = required(node, 1);
  const Ints of_x = ints_of(node, "a_axes_summed"), of_y = ints_of(node, "b_axes_summed");
  if (of_x.size() != of_y.size()) throw Error(Code::BadAttribute, msg(of_x.size(), " axes for ", of_y.size()));
  become(node, "TensorProduct", {x, y}, {{"a_axes", of_x}, {"b_axes", of_y}});
}

void extract_matmul(Node& node) {
  const OutPort x = required(node, 0), y = required(node, 1);
  become(node, "MatMul", {x, y});
}

void extract_einsum(Node& node) {
  const std::vector<OutPort> all = all_inputs(node);
  become(node, "Einsum", all, {{"equation", text_of(node, "subscripts")}});
}

}  // namespace mo::mxnet

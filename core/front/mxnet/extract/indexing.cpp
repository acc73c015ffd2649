// Operators that take or replace elements by their numbers, which may be of any type.

#include "core/front/mxnet/extract/extractor.h"

namespace mo::mxnet {
namespace {

/// Numbers [count, …] as tuples in the last dimension.
OutPort tuples(Builder& b, OutPort indices) {
  const OutPort whole = b.op("Cast", {indices}, {{"dst_type", ElementType::I64}});
  return b.op("MovedAxes", {whole}, Attributes{{"source", Ints{0}}, {"destination", Ints{-1}}});
}

void pick(Node& node, int64_t axis, bool keep) {
  const OutPort x = required(node, 0), index = required(node, 1);
  const std::string mode = choice_of(node, "mode", "clip", {"clip", "wrap"});
  become(node, "Picked", {x, index}, {{"axis", axis}, {"keep_dims", keep}, {"wrap", mode == "wrap"}});
}

}  // namespace

/// Slices along an axis; numbers outside are clamped, or count round and round.
void extract_take(Node& node) {
  const OutPort x = required(node, 0), indices = required(node, 1);
  const int64_t axis = int_of(node, "axis");
  const std::string mode = choice_of(node, "mode", "clip", {"clip", "wrap", "raise"});
  if (mode != "raise") return become(node, mode == "wrap" ? "TakenAround" : "Taken", {x, indices}, {{"axis", axis}});
  Builder b(node);
  const OutPort whole = b.op("Cast", {indices}, {{"dst_type", ElementType::I64}}), along = b.i64_scalar(axis);
  become(node, "Gather", {x, whole, along});
}

/// Of each line along an axis the element with a number of its own.
void extract_pick(Node& node) {
  if (node.attributes.find("axis") && !is_given(node, "axis")) {
    const OutPort list = Builder(node).reshape(required(node, 0), {-1}, false), index = required(node, 1);
    return become(node, choice_of(node, "mode", "clip", {"clip", "wrap"}) == "wrap" ? "TakenAround" : "Taken",
                  {list, index}, {{"axis", 0}});
  }
  pick(node, int_of(node, "axis", -1), bool_of(node, "keepdims"));
}

void extract_batch_take(Node& node) { pick(node, -1, false); }

void extract_gather_nd(Node& node) {
  const OutPort x = required(node, 0);
  Builder b(node);
  const OutPort indices = tuples(b, required(node, 1));
  become(node, "GatherND", {x, indices});
}

/// Zeros with slices replaced.
void extract_scatter_nd(Node& node) {
  const OutPort updates = required(node, 0);
  Builder b(node);
  const OutPort indices = tuples(b, required(node, 1)), shape = b.i64(ints_of(node, "shape"));
  become(node, "TFScatterND", {indices, updates, shape});
}

void extract_scatter_set_nd(Node& node) {
  const OutPort x = required(node, 0), updates = required(node, 1);
  Builder b(node);
  const OutPort indices = tuples(b, required(node, 2));
  become(node, "ScatterNDUpdate", {x, indices, updates});
}

/// Numbers outside have no one.
void extract_one_hot(Node& node) {
  const OutPort indices = required(node, 0);
  const ElementType type = type_of(node, "dtype", ElementType::F32);
  Builder b(node);
  const OutPort depth = b.i64_scalar(limited_int(node, "depth", 0, 1)),
                whole = b.op("WholeOrOutside", {indices, depth});
  const OutPort on = b.constant(make_scalar(type, float_of(node, "on_value", 1)));
  const OutPort off = b.constant(make_scalar(type, float_of(node, "off_value", 0)));
  become(node, "OneHot", {whole, depth, on, off}, {{"axis", -1}});
}

/// By numbers other than 0; of one dimension they are for rows.
void extract_where(Node& node) {
  const OutPort condition = required(node, 0), x = required(node, 1), y = required(node, 2);
  become(node, "ChosenRows", {condition, x, y});
}

void extract_np_where(Node& node) {
  const OutPort condition = required(node, 0), x = required(node, 1), y = required(node, 2);
  become(node, "ChosenElements", {condition, x, y});
}

namespace {

/// A number in place of one of the tensors.
void where_scalar(Node& node, bool left) {
  const OutPort condition = required(node, 0), x = required(node, 1);
  const OutPort number = Builder(node).scalar_like(x, float_of(node, "scalar"));
  become(node, "ChosenElements", {condition, left ? number : x, left ? x : number});
}

}  // namespace

void extract_np_where_lscalar(Node& node) { where_scalar(node, true); }
void extract_np_where_rscalar(Node& node) { where_scalar(node, false); }

/// Two numbers.
void extract_np_where_scalars(Node& node) {
  const OutPort condition = required(node, 0);
  Builder b(node);
  const OutPort x = b.f32_scalar(static_cast<float>(float_of(node, "x")));
  const OutPort y = b.f32_scalar(static_cast<float>(float_of(node, "y")));
  become(node, "ChosenElements", {condition, x, y});
}

void extract_ravel_multi_index(Node& node) {
  const OutPort x = required(node, 0), shape = Builder(node).i64(ints_of(node, "shape"));
  become(node, "RavelledIndex", {x, shape});
}

void extract_unravel_index(Node& node) {
  const OutPort x = required(node, 0), shape = Builder(node).i64(ints_of(node, "shape"));
  become(node, "UnravelIndex", {x, shape});
}

void extract_index_copy(Node& node) {
  const OutPort x = required(node, 0), updates = required(node, 2);
  Builder b(node);
  const OutPort indices = b.op("Cast", {required(node, 1)}, {{"dst_type", ElementType::I64}});
  become(node, "ScatterRows", {x, indices, updates}, {{"overwrite", true}});
}

void extract_index_array(Node& node) {
  const OutPort x = required(node, 0);
  const Ints axes = ints_of(node, "axes");
  if (axes.empty()) return become(node, "IndexArray", {x});
  Builder b(node);
  const OutPort all = b.op("IndexArray", {x}), chosen = b.i64(axes), last = b.i64_scalar(-1);
  become(node, "Gather", {all, chosen, last});
}

/// The slices along axis 0 for which the number is not 0.
void extract_boolean_mask(Node& node) {
  const OutPort x = required(node, 0), mask = required(node, 1);
  if (int_of(node, "axis") != 0) throw Error(Code::UnsupportedForm, msg("axis is ", int_of(node, "axis")));
  become(node, "Chosen", {x, mask});
}

void extract_nonzero(Node& node) { become(node, "PlacesOfNonZero", {required(node, 0)}); }

}  // namespace mo::mxnet

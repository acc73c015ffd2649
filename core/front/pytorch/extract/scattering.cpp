// Slices and elements at their indices: added, combined, replaced; elements taken and put by their place among all.

#include <algorithm>
#include <numeric>

#include "core/base/text.h"
#include "core/front/common/extracted.h"
#include "core/front/pytorch/extract/extractor.h"

namespace mo::pytorch {
namespace {

/// What operators of slices have in common.
struct Slices {
  int64_t rank, axis;
  OutPort x, indices, source;  ///< indices: a list; source: of as many dimensions as x, if there is one
};

Slices slices_of(Node& node, Builder& b) {
  Slices out{rank_of(node, "self"), 0, required(node, "self"), operand(node, b, "index", ElementType::I64), {}};
  if (out.rank == 0) throw Error(Code::UnsupportedForm, "slices of a tensor without dimensions");
  out.axis = axis_of(node, "dim", out.rank);
  if (rank_of(node, "index") == 0) out.indices = b.reshape(out.indices, {1}, false);
  if (!input(node, "source")) return out;
  out.source = operand(node, b, "source", result_type(node));
  if (rank_of(node, "source") + 1 == out.rank) out.source = b.unsqueeze(out.source, {out.axis});
  return out;
}

OutPort spread_slices(Builder& b, List<OutPort> x_and_shape) {
  return b.op("Broadcast", x_and_shape, {{"mode", "numpy"}});
}

/// The shape of x with `sizes`, a list, in the place of one axis.
OutPort shape_with_sizes(Builder& b, OutPort x, int64_t rank, int64_t axis, OutPort sizes) {
  std::vector<OutPort> parts;
  const auto add = [&](int64_t from, int64_t to) {
    Ints axes(static_cast<size_t>(to - from));
    std::iota(axes.begin(), axes.end(), from);
    if (!axes.empty()) parts.push_back(b.dims_of(x, axes));
  };
  add(0, axis);
  parts.push_back(sizes);
  add(axis + 1, rank);
  return parts.size() == 1 ? parts[0] : b.concat(parts, 0);
}

OutPort all_elements(Builder& b, OutPort x) { return b.reshape(x, {-1}, false); }

bool all_known(const Ints& sizes) { return std::find(sizes.begin(), sizes.end(), -1) == sizes.end(); }

}  // namespace

void become_scattered(Node& node, OutPort x, OutPort places, OutPort updates, int64_t axis, std::string_view reduction,
                      bool with_initial) {
  Builder b(node);
  const ElementType type = result_type(node);
  const OutPort along = b.i64_scalar(axis);
  const std::string word(reduction);
  if (word != "mean" || is_float(type))
    return become(node, "ScatterElementsUpdate", {x, places, updates, along},
                  {{"reduction", word}, {"use_init_val", with_initial}});
  const auto summed = [&](OutPort to, OutPort added) {
    return b.op("ScatterElementsUpdate", {to, places, added, along},
                {{"reduction", "sum"}, {"use_init_val", with_initial}});
  };
  const OutPort one = b.constant(make_scalar(type, 1));
  const OutPort ones = spread_slices(b, {one, b.shape_of(x)}), more = spread_slices(b, {one, b.shape_of(updates)});
  const OutPort sum = summed(x, updates), count = summed(ones, more);
  become(node, floor_division(type), {sum, count});
}

std::string_view reduction_of_scatter(const Node& node) {
  const std::string reduce = node.get_string("reduce");
  if (reduce == "amax") return "max";
  if (reduce == "amin") return "min";
  for (const std::string_view same : {"sum", "prod", "mean"})
    if (reduce == same) return same;
  throw Error(Code::BadAttribute, msg("reduce is '", printable(reduce), "'"));
}

void extract_index_add(Node& node) {
  Builder b(node);
  const ElementType type = result_type(node);
  if (type == ElementType::Bool) throw Error(Code::UnsupportedForm, "sums of booleans");
  const Slices of = slices_of(node, b);
  OutPort added = of.source;
  if (number_of(node, "alpha") != 1)
    added = b.op("Mul", {added, b.constant(make_scalar(type, number_of(node, "alpha")))});
  become(node, "IndexAdd", {of.x, of.indices, added}, {{"axis", of.axis}});
}

void extract_index_copy(Node& node) {
  Builder b(node);
  const Slices of = slices_of(node, b);
  const OutPort along = b.i64_scalar(of.axis);
  become(node, "ScatterUpdate", {of.x, of.indices, of.source, along});
}

/// Indices may count from the end.
void extract_index_fill(Node& node) {
  Builder b(node);
  const Slices of = slices_of(node, b);
  const OutPort shape = shape_with_sizes(b, of.x, of.rank, of.axis, b.shape_of(of.indices)),
                places = b.op("FloorMod", {of.indices, b.dims_of(of.x, {of.axis})});
  const OutPort value = spread_slices(b, {operand(node, b, "value", result_type(node)), shape}),
                along = b.i64_scalar(of.axis);
  become(node, "ScatterUpdate", {of.x, places, value, along});
}

void extract_index_reduce(Node& node) {
  const std::string_view word = reduction_of_scatter(node);
  Builder b(node);
  const Slices of = slices_of(node, b);
  Ints aligned(static_cast<size_t>(of.rank), 1);
  aligned[static_cast<size_t>(of.axis)] = -1;
  const OutPort places = spread_slices(b, {b.reshape(of.indices, aligned, false), b.shape_of(of.source)});
  become_scattered(node, of.x, places, of.source, of.axis, word, node.get_bool("include_self", true));
}

/// The elements for which the mask holds become those of the source, in their order.
void extract_masked_scatter(Node& node) {
  Builder b(node);
  const OutPort x = required(node, "self"), mask = operand(node, b, "mask", ElementType::Bool),
                source = all_elements(b, operand(node, b, "source", result_type(node)));
  const Ints own = sizes_of(node, "self"), sizes = result_sizes(node);
  const bool fits = own == sizes_of(node, "mask");
  const OutPort shape = all_known(sizes) ? b.i64(sizes)
                        : fits           ? b.shape_of(x)
                                         : b.op("BroadcastArgs", {b.shape_of(x), b.shape_of(mask)});
  const OutPort whole = fits ? mask : spread_slices(b, {mask, shape});
  const OutPort count = b.op("CumSum", {all_elements(b, b.convert(whole, ElementType::I64)), b.i64_scalar(0)});
  const OutPort places = b.op("Maximum", {b.op("Sub", {count, b.i64({1})}), b.i64({0})});
  const OutPort taken = b.op("Reshape", {b.gather(source, places, 0), shape}, {{"special_zero", false}});
  become(node, "Select", {whole, taken, x});
}

void extract_take(Node& node) {
  Builder b(node);
  const OutPort all = all_elements(b, required(node, "self")), indices = required(node, "index"),
                along = b.i64_scalar(0);
  become(node, "Gather", {all, indices, along});
}

/// Indices may count from the end.
void extract_put(Node& node) {
  Builder b(node);
  if (node.get_bool("accumulate") && result_type(node) == ElementType::Bool)
    throw Error(Code::UnsupportedForm, "sums of booleans");
  const OutPort x = required(node, "self"), all = all_elements(b, x),
                source = all_elements(b, operand(node, b, "source", result_type(node)));
  const OutPort indices = all_elements(b, operand(node, b, "index", ElementType::I64));
  const OutPort places = b.op("FloorMod", {indices, b.shape_of(all)}), along = b.i64_scalar(0), shape = b.shape_of(x);
  const OutPort y = b.op("ScatterElementsUpdate", {all, places, source, along},
                         {{"reduction", node.get_bool("accumulate") ? "sum" : "none"}, {"use_init_val", true}});
  become(node, "Reshape", {y, shape}, {{"special_zero", false}});
}

/// Both are broadcast but along the axis; without one all elements are a list.
void extract_take_along_dim(Node& node) {
  Builder b(node);
  OutPort x = required(node, "self"), indices = operand(node, b, "indices", ElementType::I64);
  const int64_t rank = rank_of(node, "self");
  if (!node.has("dim"))
    return become(node, "GatherElements", {all_elements(b, x), all_elements(b, indices)}, {{"axis", int64_t{0}}});
  if (rank == 0 || rank_of(node, "indices") != rank)
    throw Error(Code::RankMismatch, msg(rank, " dimensions and indices of ", rank_of(node, "indices")));
  const int64_t axis = axis_of(node, "dim", rank);
  Ints own = sizes_of(node, "self"), wanted = sizes_of(node, "indices");
  own[static_cast<size_t>(axis)] = wanted[static_cast<size_t>(axis)] = 1;
  if (own != wanted) {
    const OutPort to = shape_with_sizes(b, indices, rank, axis, b.i64({1})),
                  of_x = shape_with_sizes(b, x, rank, axis, b.i64({1}));
    x = b.op("Expand", {x, to});
    indices = b.op("Expand", {indices, of_x});
  }
  become(node, "GatherElements", {x, indices}, {{"axis", axis}});
}

}  // namespace mo::pytorch

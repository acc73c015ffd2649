// Parts of tensors, and elements by their indices.

#include <algorithm>
#include <numeric>

#include "core/front/pytorch/extract/extractor.h"
#include "core/front/pytorch/load/program.h"

namespace mo::pytorch {
namespace {

/// A bound of a slice as a list of one; None is `otherwise`.
OutPort bound(Node& node, Builder& b, std::string_view argument, int64_t otherwise) {
  if (!is_given(node, argument)) return b.i64({otherwise});
  if (const OutPort port = input(node, argument)) return b.reshape(port, {1});
  return b.i64({int_of(node, argument)});
}

/// Whether an argument is not given, or this number.
bool is_number(Node& node, std::string_view argument, int64_t number) {
  return !is_given(node, argument) || (!input(node, argument) && int_of(node, argument) == number);
}

bool is_mask(ElementType type) { return type == ElementType::Bool || type == ElementType::U8; }

/// Indices from the end count from the beginning.
OutPort not_negative(Builder& b, OutPort indices, OutPort size) { return b.op("FloorMod", {indices, size}); }

struct Indexed {
  std::vector<OutPort> indices;  ///< as i64
  Ints axes;
  int64_t rank = 0;  ///< of all indices together
};

/// The tensors of an argument "indices" and the axes that they are for. A mask stands for the places where it holds, a
/// list for each of its axes.
Indexed indexed_axes(Node& node, Builder& b) {
  Indexed out;
  const auto* slots = node.attributes.get_if<Strings>("input_slots");
  const Ints places = node.get_ints("indices"), types = node.get_ints("input_types"),
             ranks = node.get_ints("input_ranks");
  std::vector<size_t> ports;
  for (size_t i = 0; slots && i < slots->size(); ++i)
    if ((*slots)[i] == "indices") ports.push_back(i);
  size_t next = 0;
  int64_t axis = 0;
  for (const int64_t place : places) {
    if (place != kFromGraph) {
      ++axis;
      continue;
    }
    const OutPort given = next < ports.size() ? node.source(static_cast<int>(ports[next])) : OutPort();
    if (!given) throw Error(Code::MissingInput, std::string("indices"));
    const auto type = static_cast<ElementType>(types.at(ports[next]));
    const int64_t rank = ranks.at(ports[next++]);
    if (!is_mask(type)) {
      out.indices.push_back(as_type(b, given, type, ElementType::I64));
      out.axes.push_back(axis++);
      out.rank = std::max(out.rank, rank);
      continue;
    }
    if (rank == 0) throw Error(Code::UnsupportedForm, "a mask without dimensions");
    const OutPort found = b.op("NonZero", {given}, {{"output_type", ElementType::I64}});
    for (int64_t i = 0; i < rank; ++i) {
      out.indices.push_back(b.gather(found, b.i64_scalar(i), 0));
      out.axes.push_back(axis++);
    }
    out.rank = std::max<int64_t>(out.rank, 1);
  }
  if (out.axes.empty()) throw Error(Code::MissingInput, std::string("indices"));
  if (axis > rank_of(node, "self")) throw Error(Code::RankMismatch, msg("indices of ", axis, " axes"));
  return out;
}

bool is_one_mask(const Node& node) {
  const auto* slots = node.attributes.get_if<Strings>("input_slots");
  const Ints types = node.get_ints("input_types");
  if (node.get_ints("indices").size() != 1) return false;
  for (size_t i = 0; slots && i < slots->size(); ++i)
    if ((*slots)[i] == "indices") return is_mask(static_cast<ElementType>(types.at(i)));
  return false;
}

/// All indices of one shape, as tuples along a new last axis.
OutPort tuples(Builder& b, OutPort x, const Indexed& of) {
  OutPort sum = of.indices[0];
  for (size_t i = 1; i < of.indices.size(); ++i) sum = b.op("Add", {sum, of.indices[i]});
  const OutPort shape = b.shape_of(sum);
  std::vector<OutPort> parts;
  for (size_t i = 0; i < of.indices.size(); ++i) {
    const OutPort positive = not_negative(b, of.indices[i], b.dims_of(x, {of.axes[i]}));
    parts.push_back(b.op("Broadcast", {positive, shape}, {{"mode", "numpy"}}));
  }
  return b.op("Pack", parts, {{"axis", -1}});
}

}  // namespace

void extract_slice(Node& node) {
  const int64_t axis = axis_of(node, "dim", rank_of(node, "self"));
  const OutPort x = required(node, "self");
  // x[:] is written for each axis that is not cut.
  if (is_number(node, "start", 0) && is_number(node, "end", INT64_MAX) && is_number(node, "step", 1))
    return give(node, {x});
  Builder b(node);
  const OutPort start = bound(node, b, "start", 0), stop = bound(node, b, "end", INT64_MAX),
                step = bound(node, b, "step", 1);
  const OutPort axes = b.i64({axis});
  become(node, "Slice", {x, start, stop, step, axes});
}

void extract_narrow(Node& node) {
  const int64_t axis = axis_of(node, "dim", rank_of(node, "self"));
  const OutPort x = required(node, "self");
  Builder b(node);
  const OutPort start = bound(node, b, "start", 0), length = bound(node, b, "length", 0);
  const OutPort stop = b.op("Add", {start, length}), step = b.i64({1}), axes = b.i64({axis});
  become(node, "Slice", {x, start, stop, step, axes});
}

/// x, in which src replaces the part that slice would take.
void extract_slice_scatter(Node& node) {
  const int64_t axis = axis_of(node, "dim", rank_of(node, "self"));
  const OutPort x = required(node, "self"), value = required(node, "src");
  Builder b(node);
  const OutPort start = bound(node, b, "start", 0), stop = bound(node, b, "end", INT64_MAX),
                step = bound(node, b, "step", 1);
  become(node, "SetValue", {x, value, start, stop, step}, {{"axes", Ints{axis}}, {"is_usual", true}});
}

void extract_select_scatter(Node& node) {
  const int64_t axis = axis_of(node, "dim", rank_of(node, "self"));
  const OutPort x = required(node, "self");
  Builder b(node);
  const OutPort value = b.unsqueeze(required(node, "src"), {axis}), index = bound(node, b, "index", 0),
                along = b.i64_scalar(axis);
  const OutPort positive = not_negative(b, index, b.dims_of(x, {axis}));
  become(node, "ScatterUpdate", {x, positive, value, along});
}

void extract_select(Node& node) {
  const int64_t axis = axis_of(node, "dim", rank_of(node, "self"));
  const OutPort x = required(node, "self");
  Builder b(node);
  const OutPort index = int_scalar(node, b, "index"), along = b.i64_scalar(axis);
  become(node, "Gather", {x, index, along});
}

void extract_index_select(Node& node) {
  const OutPort x = required(node, "self"), indices = required(node, "index");
  const OutPort along = Builder(node).i64_scalar(axis_of(node, "dim", rank_of(node, "self")));
  become(node, "Gather", {x, indices, along});
}

void extract_gather(Node& node) {
  const OutPort x = required(node, "self"), indices = required(node, "index");
  become(node, "GatherElements", {x, indices}, {{"axis", axis_of(node, "dim", rank_of(node, "self"))}});
}

/// By a mask the elements, or slices, for which it holds; by one tensor of indices slices along its axis; by several
/// tuples. Axes that follow one another are replaced where the first one is, else the new ones come first.
void extract_index(Node& node) {
  Builder b(node);
  const OutPort x = required(node, "self");
  if (is_one_mask(node)) {
    const OutPort mask = inputs(node, "indices").at(0);
    const OutPort places = b.transpose(b.op("NonZero", {mask}, {{"output_type", ElementType::I64}}), {1, 0});
    return become(node, "GatherND", {x, places}, {{"batch_dims", 0}});
  }
  const Indexed of = indexed_axes(node, b);
  if (of.axes.size() == 1) {
    const OutPort along = b.i64_scalar(of.axes[0]);
    return become(node, "Gather", {x, of.indices[0], along});
  }
  const int64_t rank = rank_of(node, "self");
  Ints order = of.axes;
  for (int64_t axis = 0; axis < rank; ++axis)
    if (std::find(of.axes.begin(), of.axes.end(), axis) == of.axes.end()) order.push_back(axis);
  const OutPort first = std::is_sorted(order.begin(), order.end()) ? x : b.transpose(x, order);
  const OutPort places = tuples(b, x, of);
  const auto count = static_cast<int64_t>(of.axes.size());
  const bool is_together = of.axes.back() - of.axes.front() == count - 1;
  if (!is_together || of.axes[0] == 0) return become(node, "GatherND", {first, places}, {{"batch_dims", 0}});
  // [indices…, others…] → [others before, indices…, others behind]
  const OutPort y = b.op("GatherND", {first, places}, {{"batch_dims", 0}});
  const int64_t made = result_rank(node), own = made - (rank - count), before = of.axes[0];
  Ints back;
  for (int64_t i = 0; i < before; ++i) back.push_back(own + i);
  for (int64_t i = 0; i < own; ++i) back.push_back(i);
  for (int64_t i = own + before; i < made; ++i) back.push_back(i);
  give(node, {b.transpose(y, back)});
}

namespace {

/// The axes with indices come first, for ScatterNDUpdate, and go back. Values have the shape that x[indices] has: axes
/// that follow one another are replaced where the first one is, else the new ones come first.
void put_at_some_axes(Node& node, Builder& b, OutPort x, OutPort values) {
  const Indexed of = indexed_axes(node, b);
  const int64_t rank = rank_of(node, "self"), own = of.rank;
  const auto count = static_cast<int64_t>(of.axes.size());
  Ints order = of.axes;
  for (int64_t axis = 0; axis < rank; ++axis)
    if (std::find(of.axes.begin(), of.axes.end(), axis) == of.axes.end()) order.push_back(axis);
  const int64_t before = of.axes.back() - of.axes.front() == count - 1 ? of.axes[0] : 0, rest = rank - count;
  const OutPort places = tuples(b, x, of);
  std::vector<OutPort> shape;
  const auto add_sizes = [&](OutPort like, Ints axes) {
    if (!axes.empty()) shape.push_back(b.dims_of(like, axes));
  };
  Ints of_indices(static_cast<size_t>(own));
  std::iota(of_indices.begin(), of_indices.end(), 0);
  add_sizes(x, {order.begin() + count, order.begin() + count + before});
  add_sizes(places, of_indices);
  add_sizes(x, {order.begin() + count + before, order.end()});
  const OutPort whole = shape.empty() ? b.i64({}) : shape.size() == 1 ? shape[0] : b.concat(shape, 0);
  OutPort all = b.op("Broadcast", {values, whole}, {{"mode", "numpy"}});
  Ints turned;  // [before…, indices…, behind…] → [indices…, before…, behind…]
  for (int64_t i = 0; i < own; ++i) turned.push_back(before + i);
  for (int64_t i = 0; i < before; ++i) turned.push_back(i);
  for (int64_t i = before; i < rest; ++i) turned.push_back(own + i);
  if (!std::is_sorted(turned.begin(), turned.end())) all = b.transpose(all, turned);
  const OutPort first = b.transpose(x, order);
  const OutPort y =
      b.op("ScatterNDUpdate", {first, places, all}, {{"reduction", node.get_bool("accumulate") ? "sum" : "none"}});
  Ints back(order.size());
  for (size_t i = 0; i < order.size(); ++i) back[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
  become(node, "AttributedTranspose", {y}, {{"perm", back}});
}

}  // namespace

void extract_index_put(Node& node) {
  Builder b(node);
  const OutPort x = required(node, "self"), values = operand(node, b, "values", result_type(node));
  const Ints places = node.get_ints("indices");
  if (std::find(places.begin(), places.end(), kNoTensor) != places.end()) return put_at_some_axes(node, b, x, values);
  std::vector<OutPort> all{x, values};
  for (const OutPort indices : inputs(node, "indices")) all.push_back(indices);
  become(node, "IndexPut", all, {{"accumulate", node.get_bool("accumulate")}});
}

namespace {

void scatter(Node& node, std::string_view reduction, bool with_initial) {
  Builder b(node);
  const ElementType type = result_type(node);
  const int64_t axis = axis_of(node, "dim", rank_of(node, "self"));
  const OutPort x = required(node, "self"), indices = required(node, "index");
  OutPort updates;
  if (input(node, "src"))
    // As many as there are indices.
    updates = b.op("Slice", {operand(node, b, "src", type), b.i64(Ints(static_cast<size_t>(rank_of(node, "src")), 0)),
                             b.shape_of(indices), b.i64(Ints(static_cast<size_t>(rank_of(node, "src")), 1))});
  else
    updates = b.op("Broadcast", {operand(node, b, "value", type), b.shape_of(indices)}, {{"mode", "numpy"}});
  become_scattered(node, x, indices, updates, axis, reduction, with_initial);
}

}  // namespace

void extract_scatter(Node& node) {
  const std::string reduce = node.get_string("reduce");
  scatter(node, reduce == "add" ? "sum" : reduce == "multiply" ? "prod" : "none", true);
}
void extract_scatter_add(Node& node) { scatter(node, "sum", true); }
void extract_scatter_reduce(Node& node) {
  scatter(node, reduction_of_scatter(node), node.get_bool("include_self", true));
}

void extract_masked_select(Node& node) {
  const OutPort x = required(node, "self"), mask = required(node, "mask");
  become(node, "MaskedSelect", {x, mask});
}

void extract_nonzero(Node& node) {
  const OutPort x = required(node, "self");
  if (rank_of(node, "self") == 0) throw Error(Code::UnsupportedForm, "places in a tensor without dimensions");
  become(node, "TFWhere", {x});
}

void extract_one_hot(Node& node) {
  Builder b(node);
  const OutPort x = required(node, "self"), depth = int_scalar(node, b, "num_classes");
  const OutPort on = b.i64_scalar(1), off = b.i64_scalar(0);
  become(node, "OneHot", {x, depth, on, off}, {{"axis", -1}});
}

}  // namespace mo::pytorch

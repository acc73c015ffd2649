// Elements by their place in the order of all along an axis, or by how often they occur.

#include <limits>

#include "core/front/pytorch/extract/elementwise.h"

namespace mo::pytorch {

namespace {

/// The elements of a tensor in order, and their places.
struct InOrder {
  OutPort values, places;
};

/// NaN is behind all numbers, or before them if the largest come first. Numbers are put in order with NaN as infinite,
/// and then, of what is equal in that order, NaN behind infinite ones: both times equal elements keep their order.
InOrder in_order_of(Node& node, Builder& b, int64_t axis, bool largest) {
  const OutPort x = required(node, "self");
  if (rank_of(node, "self") == 0) return {x, b.i64_scalar(0)};
  const Attributes attributes{{"axis", axis}, {"largest", largest}};
  const ElementType type = type_of(node, "self");
  if (!is_float(type)) {
    Node& sorted = b.node("ArgSort", {x}, attributes, 2);
    return {sorted.out(0), sorted.out(1)};
  }
  const Attributes along{{"axis", axis}};
  const OutPort missing = b.op("IsNaN", {x}), infinite = number_as(b, type, std::numeric_limits<double>::infinity());
  const OutPort places = b.node("ArgSort", {b.op("Select", {missing, infinite, x})}, attributes, 2).out(1);
  const OutPort behind = b.op("GatherElements", {b.convert(missing, ElementType::I32), places}, along);
  const OutPort again = b.node("ArgSort", {behind}, attributes, 2).out(1);
  const OutPort all = b.op("GatherElements", {places, again}, along);
  return {b.op("GatherElements", {x, all}, along), all};
}

}  // namespace

void extract_sort(Node& node) {
  Builder b(node);
  const int64_t axis = axis_of(node, "dim", rank_of(node, "self"));
  const InOrder sorted = in_order_of(node, b, axis, node.get_bool("descending"));
  give(node, {sorted.values, sorted.places});
}

void extract_argsort(Node& node) {
  Builder b(node);
  const int64_t axis = axis_of(node, "dim", rank_of(node, "self"));
  give(node, {in_order_of(node, b, axis, node.get_bool("descending")).places});
}

/// In order along the first axis.
void extract_msort(Node& node) {
  Builder b(node);
  give(node, {in_order_of(node, b, 0, false).values});
}

/// The element that is number k of the least.
void extract_kthvalue(Node& node) {
  Builder b(node);
  const int64_t rank = rank_of(node, "self"), axis = axis_of(node, "dim", rank);
  const OutPort x = required(node, "self");
  if (rank == 0) return give(node, {x, b.i64_scalar(0)});
  const OutPort k = int_scalar(node, b, "k"), last = b.op("Sub", {k, b.i64_scalar(1)});
  Node& least = b.node("TopK", {x, k}, {{"axis", axis}, {"mode", "min"}, {"sort", "value"}}, 2);
  const OutPort at = node.get_bool("keepdim") ? b.unsqueeze(last, {0}) : last;
  const OutPort value = b.gather(least.out(0), at, axis);
  give(node, {value, b.gather(least.out(1), at, axis)});
}

/// How many elements are in each of the bins between two limits, or, if they are equal, between the extreme elements.
void extract_histc(Node& node) {
  Builder b(node);
  const ElementType type = result_type(node);
  const int64_t bins = int_of(node, "bins");
  const double low = number_of(node, "min"), high = number_of(node, "max");
  if (bins < 1 || !(low <= high)) throw Error(Code::BadAttribute, msg(bins, " bins from ", low, " to ", high));
  const Attributes attributes{{"bins", bins}, {"last", bins - 1}};
  const OutPort x = required(node, "self");
  const OutPort counts = low == high
                             ? b.op("HistogramOfAll", {x}, attributes)
                             : b.op("Histogram", {x, number_as(b, type, low), number_as(b, type, high)}, attributes);
  give(node, {b.convert(counts, type)});
}

/// The element that occurs most often.
void extract_mode(Node& node) {
  Builder b(node);
  const int64_t rank = rank_of(node, "self"), axis = axis_of(node, "dim", rank);
  const OutPort x = required(node, "self");
  if (rank == 0) return give(node, {x, b.i64_scalar(0)});
  Node& found = b.node("MostFrequent", {x, b.i64_scalar(axis)}, {}, 2);
  OutPort value = found.out(0), place = found.out(1);
  if (!node.get_bool("keepdim")) value = b.squeeze(value, {axis}), place = b.squeeze(place, {axis});
  give(node, {value, place});
}

}  // namespace mo::pytorch

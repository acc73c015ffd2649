// Medians and quantiles.

#include <limits>

#include "core/base/text.h"
#include "core/front/pytorch/extract/elementwise.h"

namespace mo::pytorch {
namespace {

/// The elements along one axis in order. NaN is behind all numbers, as an infinite one.
struct Order {
  ElementType type;
  int64_t axis;
  OutPort values, places;
  OutPort count;    ///< of elements along the axis, [1]
  OutPort missing;  ///< whether an element is NaN; empty for integers
};

Order order_along(Builder& b, OutPort x, int64_t axis, ElementType type) {
  Order out{type, axis, {}, {}, b.dims_of(x, {axis}), {}};
  if (is_float(type)) {
    out.missing = b.op("IsNaN", {x});
    x = b.op("Select", {out.missing, number_as(b, type, std::numeric_limits<double>::infinity()), x});
  }
  Node& sorted = b.node("ArgSort", {x}, {{"axis", axis}, {"largest", false}}, 2);
  out.values = sorted.out(0), out.places = sorted.out(1);
  return out;
}

/// How many elements of each line are no NaN.
OutPort numbers_in(Builder& b, const Order& of) {
  return b.reduce("ReduceSum", b.convert(b.op("LogicalNot", {of.missing}), ElementType::I64), {of.axis}, true);
}

/// x where the condition does not hold, else NaN.
OutPort nan_where(Builder& b, OutPort condition, OutPort x, ElementType type) {
  return b.op("Select", {condition, number_as(b, type, std::numeric_limits<double>::quiet_NaN()), x});
}

struct Found {
  OutPort value, place;
};

/// The lower of the two in the middle, along an axis that stays. NaN is the median of lines that have one, unless it is
/// left out.
Found median_along(Builder& b, const Order& of, bool without_nan) {
  const auto middle = [&](OutPort count) {
    const OutPort last = b.op("Sub", {count, b.i64({1})});
    return b.op("Maximum", {b.op("FloorDivOfIntegers", {last, b.i64({2})}), b.i64({0})});
  };
  if (!of.missing || !without_nan) {
    const OutPort at = middle(of.count);
    Found found{b.gather(of.values, at, of.axis), b.gather(of.places, at, of.axis)};
    if (!of.missing) return found;
    const OutPort any = b.reduce("ReduceLogicalOr", of.missing, {of.axis}, true);
    const OutPort first = b.op("ArgMax", {b.convert(of.missing, ElementType::I32)},
                               {{"axis", of.axis}, {"keepdims", true}, {"output_type", ElementType::I64}});
    return {nan_where(b, any, found.value, of.type), b.op("Select", {any, first, found.place})};
  }
  const OutPort numbers = numbers_in(b, of), at = middle(numbers);
  const auto taken = [&](OutPort x) { return b.op("GatherElements", {x, at}, {{"axis", of.axis}}); };
  const OutPort none = b.op("Equal", {numbers, b.i64({0})}), value = taken(of.values);
  return {nan_where(b, none, value, of.type), taken(of.places)};
}

void median(Node& node, bool without_nan) {
  Builder b(node);
  const int64_t rank = rank_of(node, "self");
  const ElementType type = type_of(node, "self");
  const bool of_all = !node.has("dim");
  OutPort x = required(node, "self");
  if (rank == 0) return of_all ? give(node, {x}) : give(node, {x, b.i64_scalar(0)});
  if (of_all) x = b.reshape(x, {-1}, false);
  const int64_t axis = of_all ? 0 : axis_of(node, "dim", rank);
  Found found = median_along(b, order_along(b, x, axis, type), without_nan);
  if (of_all) return give(node, {b.squeeze(found.value, {0})});
  if (!node.get_bool("keepdim")) found = {b.squeeze(found.value, {axis}), b.squeeze(found.place, {axis})};
  give(node, {found.value, found.place});
}

/// Between the elements at the places before and behind a position, which need not be whole.
OutPort at_positions(Builder& b, OutPort values, OutPort positions, bool of_lines, const std::string& how,
                     ElementType type) {
  const auto taken = [&](OutPort places) {
    const OutPort whole = b.convert(places, ElementType::I64);
    return of_lines ? b.op("GatherElements", {values, whole}, {{"axis", -1}}) : b.gather(values, whole, -1);
  };
  if (how == "nearest") return taken(b.op("Round", {positions}, {{"mode", "half_to_even"}}));
  const OutPort before = b.op("Floor", {positions}), behind = b.op("Ceiling", {positions});
  if (how == "lower") return taken(before);
  if (how == "higher") return taken(behind);
  const OutPort weight = how == "midpoint" ? number_as(b, type, 0.5) : b.op("Sub", {positions, before});
  const OutPort low = taken(before), high = taken(behind);
  return b.op("Lerp", {low, high, weight});
}

/// The elements below which are these parts of a line. Several parts are the first axis of the result.
void quantile(Node& node, bool without_nan) {
  Builder b(node);
  const ElementType type = result_type(node);
  if (!is_float(type)) throw Error(Code::UnsupportedType, "quantiles of integers");
  const std::string how = node.get_string("interpolation", "linear");
  if (!is_one_of(how, {"linear", "lower", "higher", "nearest", "midpoint"}))
    throw Error(Code::BadAttribute, msg("interpolation is '", printable(how), "'"));
  const bool of_all = !node.has("dim");
  const int64_t own = rank_of(node, "self"), rank = of_all ? 1 : std::max<int64_t>(own, 1);
  const int64_t axis = of_all ? 0 : axis_of(node, "dim", own), last = rank - 1;
  const bool is_list = input(node, "q") && rank_of(node, "q") > 0;
  const OutPort parts = b.reshape(operand(node, b, "q", type), {-1}, false);
  OutPort x = operand(node, b, "self", type);
  if (of_all || own == 0) x = b.reshape(x, {-1}, false);
  Ints order;  // the axis comes last
  for (int64_t i = 0; i < rank; ++i)
    if (i != axis) order.push_back(i);
  order.push_back(axis);
  if (axis != last) x = b.transpose(x, order);
  const Order of = order_along(b, x, last, type);
  const OutPort count = without_nan ? numbers_in(b, of) : of.count;
  const OutPort gaps = b.convert(b.op("Maximum", {b.op("Sub", {count, b.i64({1})}), b.i64({0})}), type);
  OutPort y = at_positions(b, of.values, b.op("Mul", {gaps, parts}), without_nan, how, type);
  const OutPort none =
      without_nan ? b.op("Equal", {count, b.i64({0})}) : b.reduce("ReduceLogicalOr", of.missing, {last}, true);
  y = nan_where(b, none, y, type);
  // [other axes…, parts] → [parts, other axes…]
  const bool keep = node.get_bool("keepdim");
  if (is_list) {
    Ints first{last};
    for (int64_t i = 0; i < last; ++i) first.push_back(i);
    if (last > 0) y = b.transpose(y, first);
  } else {
    y = b.squeeze(y, {last});
  }
  if (!keep) return give(node, {y});
  Ints ones{axis + (is_list ? 1 : 0)};
  if (of_all)
    for (int64_t i = 1; i < own; ++i) ones.push_back(ones[0] + i);
  give(node, {own == 0 ? y : b.unsqueeze(y, ones)});
}

}  // namespace

void extract_median(Node& node) { median(node, false); }
void extract_nanmedian(Node& node) { median(node, true); }
void extract_quantile(Node& node) { quantile(node, false); }
void extract_nanquantile(Node& node) { quantile(node, true); }

}  // namespace mo::pytorch

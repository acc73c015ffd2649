// What is computed of neighbours along an axis, or of all elements up to each one.

#include "core/front/pytorch/extract/elementwise.h"

namespace mo::pytorch {
namespace {

/// The extreme element up to each one, and its place.
void cumulative_extremum(Node& node, const char* function) {
  Builder b(node);
  const int64_t rank = rank_of(node, "self");
  const OutPort x = required(node, "self");
  if (rank == 0) return give(node, {x, b.i64_scalar(0)});
  const OutPort axis = b.i64_scalar(axis_of(node, "dim", rank));
  become(node, "CumulativeExtremum", {x, axis}, {{"function", function}, {"dtype", ElementType::I64}}, 2);
}

/// All but the first slice along the axis, or all but the last.
OutPort but_first(Builder& b, OutPort x, int64_t axis) {
  return b.op("Slice", {x, b.i64({1}), b.i64({INT64_MAX}), b.i64({1}), b.i64({axis})});
}
OutPort but_last(Builder& b, OutPort x, int64_t axis) {
  return b.op("Slice", {x, b.i64({0}), b.i64({-1}), b.i64({1}), b.i64({axis})});
}

OutPort differences(Builder& b, OutPort x, int64_t axis, const char* op = "Sub") {
  const OutPort later = but_first(b, x, axis), earlier = but_last(b, x, axis);
  return b.op(op, {later, earlier});
}

/// The areas between neighbours, whose distance is dx, or that of the elements of x.
OutPort areas(Node& node, Builder& b, int64_t axis, int64_t rank, ElementType type) {
  const OutPort y = operand(node, b, "y", type);
  const OutPort sums = b.op("Add", {but_first(b, y, axis), but_last(b, y, axis)});
  if (!input(node, "x")) {
    const double step = number_of(node, "dx") / 2;
    return b.op("Mul", {sums, number_as(b, type, step)});
  }
  OutPort x = operand(node, b, "x", type);
  const int64_t own = rank_of(node, "x");
  if (own == 0 || own > rank) throw Error(Code::UnsupportedForm, msg("x has ", own, " dimensions"));
  Ints line(static_cast<size_t>(rank), 1);
  line[static_cast<size_t>(axis)] = -1;
  if (own == 1) x = b.reshape(x, line, false);
  const OutPort steps = differences(b, x, axis - rank);
  return b.op("Mul", {b.op("Mul", {sums, steps}), number_as(b, type, 0.5)});
}

}  // namespace

void extract_cummax(Node& node) { cumulative_extremum(node, "ReduceMax"); }
void extract_cummin(Node& node) { cumulative_extremum(node, "ReduceMin"); }

void extract_logcumsumexp(Node& node) {
  Builder b(node);
  const int64_t rank = rank_of(node, "self");
  const OutPort x = operand(node, b, "self", result_type(node));
  if (rank == 0) return give(node, {x});
  const OutPort axis = b.i64_scalar(axis_of(node, "dim", rank));
  become(node, "CumulativeLogsumexp", {x, axis}, {{"sign", 1.0}, {"least", -0.5}});
}

/// n times the differences of neighbours; whether booleans differ.
void extract_diff(Node& node) {
  constexpr int64_t kMost = 100;
  const int64_t n = int_of(node, "n"), axis = axis_of(node, "dim", rank_of(node, "self"));
  if (n < 0 || n > kMost) throw Error(Code::UnsupportedForm, msg("n is ", n));
  Builder b(node);
  const ElementType type = result_type(node);
  std::vector<OutPort> parts;
  for (const char* part : {"prepend", "self", "append"})
    if (input(node, part)) parts.push_back(operand(node, b, part, type));
  OutPort x = parts.size() == 1 ? parts[0] : b.concat(parts, axis);
  for (int64_t i = 0; i < n; ++i) x = differences(b, x, axis, type == ElementType::Bool ? "LogicalXor" : "Sub");
  give(node, {x});
}

void extract_trapezoid(Node& node) {
  Builder b(node);
  const int64_t rank = rank_of(node, "y"), axis = axis_of(node, "dim", rank);
  const OutPort parts = areas(node, b, axis, rank, result_type(node));
  give(node, {b.reduce("ReduceSum", parts, {axis}, false)});
}

void extract_cumulative_trapezoid(Node& node) {
  Builder b(node);
  const int64_t rank = rank_of(node, "y"), axis = axis_of(node, "dim", rank);
  const OutPort parts = areas(node, b, axis, rank, result_type(node)), along = b.i64_scalar(axis);
  become(node, "CumSum", {parts, along});
}

}  // namespace mo::pytorch

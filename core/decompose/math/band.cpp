#include "core/decompose/math/band.h"

namespace mo {

Band::Band(Builder& b, const Node& node, int k) {
  const std::string align = node.get_string("align", "LEFT_LEFT");
  right_above = align.starts_with("RIGHT_");
  right_below = align.ends_with("_RIGHT");
  if (!node.has_in(k)) {
    lower = upper = b.i64_scalar(0);
    return;
  }
  const OutPort given = b.convert(node.source(k), ElementType::I64);
  const auto known = given.tensor().exact_ints();
  if (known && !known->empty()) {
    lower = b.i64_scalar(known->front());
    upper = b.i64_scalar(known->back());
    wide = known->front() != known->back();
    return;
  }
  if (given.tensor().shape.elements() != Interval(1))
    throw Error(Code::UnsupportedForm, "diagonals whose number is not known");
  lower = upper = to_scalar(b, given);
}

OutPort Band::contains(Builder& b, OutPort d) const {
  if (!wide) return b.op("Equal", {d, lower});
  const OutPort above = b.op("GreaterEqual", {d, lower});
  return b.op("LogicalAnd", {above, b.op("LessEqual", {d, upper})});
}

OutPort Band::length(Builder& b, OutPort d) const {
  const OutPort zero = b.i64_scalar(0);
  const OutPort down = b.op("Add", {rows, b.op("Minimum", {d, zero})});
  return b.op("Minimum", {down, b.op("Sub", {columns, b.op("Maximum", {d, zero})})});
}

OutPort Band::longest(Builder& b) const {
  const OutPort zero = b.i64_scalar(0);
  const OutPort down = b.op("Add", {rows, b.op("Minimum", {upper, zero})});
  return b.op("Minimum", {down, b.op("Sub", {columns, b.op("Maximum", {lower, zero})})});
}

OutPort Band::offset(Builder& b, OutPort d, OutPort most) const {
  const OutPort zero = b.i64_scalar(0);
  if (!right_above && !right_below) return zero;
  const OutPort free = b.op("Sub", {most, length(b, d)});
  if (right_above == right_below) return free;
  return b.op("Select", {b.op(right_above ? "Greater" : "Less", {d, zero}), free, zero});
}

OutPort joined(Builder& b, OutPort x) {
  const OutPort shape = b.shape_of(x);
  const OutPort batch = b.op("Slice", {shape, b.i64({0}), b.i64({-2}), b.i64({1}), b.i64({0})});
  return b.op("Reshape", {x, b.concat({batch, b.i64({-1})}, 0)}, {{"special_zero", false}});
}

}  // namespace mo

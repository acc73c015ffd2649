#include "core/decompose/control/truth.h"

#include "core/decompose/shaping/shaping.h"

namespace mo {
namespace {

OutPort not_zero(Builder& b, OutPort x) {
  const ElementType type = x.tensor().type;
  if (type == ElementType::String) throw Error(Code::UnsupportedForm, "a text as a condition");
  return type == ElementType::Bool ? x : b.op("NotEqual", {x, b.scalar_like(x, 0)});
}

}  // namespace

OutPort single(Builder& b, OutPort x) {
  const PartialShape& shape = x.tensor().shape;
  if (const Interval count = shape.elements(); shape.has_rank() && (count.min > 1 || count.max < 1))
    throw Error(Code::ShapeMismatch, msg(to_string(shape), " elements, want one"));
  return shape.has_rank() && shape.rank() <= 1 ? x : to_scalar(b, x);
}

OutPort truth_of(Builder& b, OutPort x, bool lone) {
  const int rank = x.tensor().shape.rank();
  if (lone || rank == 0) return not_zero(b, single(b, x));
  const OutPort shape = b.shape_of(x);
  const OutPort filled = b.op("NotEqual", {b.reduce("ReduceProd", shape, {0}, false), b.i64_scalar(0)});
  if (rank > 0) return filled;
  // A scalar, whose shape has no elements, or a tensor.
  const OutPort ranked = b.op("NotEqual", {b.reduce("ReduceProd", b.shape_of(shape), {0}, false), b.i64_scalar(0)});
  const OutPort any = b.reduce("ReduceLogicalOr", not_zero(b, b.reshape(x, {-1}, false)), {0}, false);
  return b.op("LogicalAnd", {filled, b.op("LogicalOr", {ranked, any})});
}

}  // namespace mo

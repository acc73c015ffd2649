#include "core/decompose/indexing/rows.h"

namespace mo {
namespace {

/// `first`, followed by the dimensions of x from `axis` on.
OutPort row_shape(Builder& b, OutPort x, int64_t first, int64_t axis) {
  const OutPort shape = b.shape_of(x);
  const OutPort rest = b.op("Slice", {shape, b.i64({axis}), b.i64({INT64_MAX}), b.i64({1}), b.i64({0})});
  return b.concat({b.i64({first}), rest}, 0);
}

}  // namespace

OutPort as_rows(Builder& b, OutPort x, int64_t axes) {
  return axes == 1 ? x : b.op("Reshape", {x, row_shape(b, x, -1, axes)}, {{"special_zero", false}});
}

OutPort filled_rows(Builder& b, OutPort value, OutPort count, OutPort x) {
  const OutPort row = b.op("Broadcast", {value, row_shape(b, x, 1, 1)}, {{"mode", "numpy"}});
  return b.gather(row, b.op("Broadcast", {b.i64_scalar(0), count}, {{"mode", "numpy"}}), 0);
}

OutPort between(Builder& b, OutPort x, OutPort from, OutPort to, int64_t axis) {
  return b.op("Slice", {x, from, to, b.i64({1}), b.i64({axis})});
}

}  // namespace mo

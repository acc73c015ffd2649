#include "core/decompose/spatial/convolution.h"

namespace mo {
namespace {

/// `x` as a tensor whose dimensions are 1, except `axis`.
OutPort one_a_channel(Builder& b, OutPort x, Shape shape, size_t axis) {
  const auto& value = x.tensor().value;
  shape[axis] = value ? static_cast<int64_t>(value->elements()) : -1;
  return value ? b.constant(reshape(*value, shape)) : b.reshape(x, shape, false);
}

}  // namespace

OutPort per_channel(Builder& b, OutPort x, const SpatialDims& dims) {
  return one_a_channel(b, x, Shape(dims.rank() - dims.channel, 1), 0);
}

OutPort add_bias(Builder& b, OutPort y, OutPort bias, const SpatialDims& dims) {
  return b.op("Add", {y, one_a_channel(b, bias, Shape(dims.rank(), 1), dims.channel)});
}

}  // namespace mo

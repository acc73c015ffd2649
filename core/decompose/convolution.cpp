#include "core/decompose/convolution.h"

namespace mo {

OutPort grouped_weights(Builder& b, OutPort weights, int64_t group) {
  const Tensor& tensor = weights.tensor();
  const PartialShape& shape = tensor.shape;
  if (!shape.has_rank()) throw Error(Code::UnsupportedForm, "grouped weights of unknown rank");
  if (shape.rank() < 3) throw Error(Code::RankMismatch, cat("the weights are [", to_string(shape), "]"));
  if (shape[0].is_exact() && shape[0].min % group != 0)
    throw Error(Code::ShapeMismatch, cat(group, " groups of weights [", to_string(shape), "]"));
  if (tensor.value) {
    Shape grouped = tensor.value->shape;
    grouped[0] /= group;
    grouped.insert(grouped.begin(), group);
    return b.constant(reshape(*tensor.value, grouped));
  }
  Ints rest, dims{group, -1};
  bool all_known = true;
  for (int i = 1; i < shape.rank(); ++i) {
    rest.push_back(i);
    const Dimension d = shape[static_cast<size_t>(i)];
    all_known &= d.is_exact() && d.min > 0;
    dims.push_back(d.min);
  }
  if (all_known) return b.reshape(weights, dims, false);
  return b.op("Reshape", {weights, b.concat({b.i64({group, -1}), b.dims_of(weights, rest)}, 0)},
              {{"special_zero", false}});
}

OutPort per_channel(Builder& b, OutPort x, size_t axes) {
  const auto& value = x.tensor().value;
  Shape shape(axes + 1, 1);
  if (!value) {
    shape[0] = -1;
    return b.reshape(x, shape, false);
  }
  shape[0] = static_cast<int64_t>(value->elements());
  return b.constant(reshape(*value, shape));
}

OutPort add_bias(Builder& b, OutPort y, OutPort bias, size_t axes) {
  const auto& value = bias.tensor().value;
  Shape shape(axes + 2, 1);
  shape[1] = value ? static_cast<int64_t>(value->elements()) : -1;
  return b.op("Add", {y, value ? b.constant(reshape(*value, shape)) : b.reshape(bias, shape, false)});
}

}  // namespace mo

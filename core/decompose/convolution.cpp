#include "core/decompose/convolution.h"

#include <algorithm>

namespace mo {
namespace {

/// `x` as a tensor whose dimensions are 1, except `axis`.
OutPort one_a_channel(Builder& b, OutPort x, Shape shape, size_t axis) {
  const auto& value = x.tensor().value;
  shape[axis] = value ? static_cast<int64_t>(value->elements()) : -1;
  return value ? b.constant(reshape(*value, shape)) : b.reshape(x, shape, false);
}

/// The number of groups if the data has `channels` and the weights are for `each` of them.
int64_t group_of(const Node& node, Dimension channels, Dimension each) {
  if (node.has("group")) {
    const int64_t group = node.get_int("group");
    if (group < 1) throw Error(Code::BadAttribute, cat("group is ", group));
    return group;
  }
  if (!channels.is_exact() || !each.is_exact() || channels == each) return 1;
  if (each.min < 1 || channels.min % each.min != 0)
    throw Error(Code::ShapeMismatch, cat("the input has ", channels.min, " channels, the weights ask for ", each.min));
  return std::max<int64_t>(channels.min / each.min, 1);
}

}  // namespace

ConvolutionWeights ordered_weights(Builder& b, const Node& node, const SpatialDims& dims, bool transposed) {
  const OutPort weights = node.source(1);
  const PartialShape &data = node.source(0).tensor().shape, &shape = weights.tensor().shape;
  Dimension channels = data.has_rank() ? data[dims.channel] : kAnyDimension;
  const auto given = [&](OutPort port, Dimension each) {
    return ConvolutionWeights{port, group_of(node, channels, transposed ? channels : each)};
  };
  const bool is_named = node.has("kernel_spatial_idx");
  if (node.has("input_feature_channel") != is_named || node.has("output_feature_channel") != is_named)
    throw Error(Code::BadAttribute,
                "input_feature_channel, output_feature_channel and kernel_spatial_idx come together");
  if (!is_named) return given(weights, shape.rank() > 1 ? shape[1] : kAnyDimension);

  if (!shape.has_rank()) throw Error(Code::UnsupportedForm, "weights of unknown rank");
  const auto axis = [&](int64_t i) { return static_cast<int64_t>(normalize_axis(i, shape.rank())); };
  const int64_t in = axis(node.get_int("input_feature_channel")), out = axis(node.get_int("output_feature_channel"));
  Ints order{transposed ? in : out, transposed ? out : in};
  // Depthwise: the remaining axis, the outputs of each channel, follows the channels.
  if (in == out) order[1] = int64_t{shape.rank()} * (shape.rank() - 1) / 2 - in;
  for (const int64_t i : node.get_ints("kernel_spatial_idx")) {
    order.push_back(axis(i));
    if (in == out) order[1] -= order.back();
  }
  const OutPort turned = b.transpose(weights, order);
  const Dimension each = shape[static_cast<size_t>(in)];
  if (in != out) return given(turned, each);
  channels = each;
  if (transposed) return {turned, group_of(node, channels, 1)};
  Ints flat(order.size(), 0);
  flat[0] = -1, flat[1] = 1;
  return given(b.reshape(turned, flat), 1);
}

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

OutPort per_channel(Builder& b, OutPort x, const SpatialDims& dims) {
  return one_a_channel(b, x, Shape(dims.rank() - dims.channel, 1), 0);
}

OutPort add_bias(Builder& b, OutPort y, OutPort bias, const SpatialDims& dims) {
  return b.op("Add", {y, one_a_channel(b, bias, Shape(dims.rank(), 1), dims.channel)});
}

}  // namespace mo

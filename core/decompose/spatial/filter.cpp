#include "core/decompose/spatial/filter.h"

#include <algorithm>

namespace mo {
namespace {

bool is_constant(OutPort port) { return port && (port.tensor().value || port.node().op() == "Const"); }
/// A Cast that is not folded keeps numbers narrow.
bool is_cast(OutPort port) { return !is_constant(port) && port.node().op() == "Cast" && port.node().has_in(0); }

/// Whether the node makes weights of its input 0 and of constants, element by element. Before inference only
/// DequantizeLinear says how its numbers broadcast.
bool is_link(OutPort made, size_t rank) {
  const Node& node = made.node();
  const std::string& op = node.op();
  const bool dequantizes = op == "DequantizeLinear";
  if (!dequantizes && op != "FakeQuantize" && op != "Cast" && op != "Sub" && op != "Mul") return false;
  if (!node.has_in(0) || node.get_int("block_size") != 0) return false;
  if (!dequantizes && !made.tensor().shape.has_rank()) return false;
  for (int i = 1; i < node.in_count(); ++i) {
    if (!node.has_in(i)) continue;
    const OutPort numbers = node.source(i);
    const PartialShape& shape = numbers.tensor().shape;
    const bool aligns = dequantizes || (shape.has_rank() && shape.dimensions().size() <= rank);
    if (!is_constant(is_cast(numbers) ? numbers.node().source(0) : numbers) || !aligns) return false;
  }
  return true;
}

/// Numbers that broadcast to the weights, with their axes in the new order.
OutPort turned_numbers(Builder& b, OutPort numbers, const Ints& order) {
  const PartialShape& shape = numbers.tensor().shape;
  if (shape.elements() == Interval(1)) return numbers;
  if (is_cast(numbers))
    return b.op("Cast", {turned_numbers(b, numbers.node().source(0), order)}, numbers.node().attributes);
  Ints lead;
  for (auto i = shape.rank(); i < static_cast<int>(order.size()); ++i)
    lead.push_back(static_cast<int64_t>(lead.size()));
  return b.transpose(lead.empty() ? numbers : b.unsqueeze(numbers, lead), order);
}

/// The node's result for turned weights.
OutPort after_turning(Builder& b, const Node& link, OutPort weights, const Ints& order) {
  std::vector<OutPort> inputs{weights};
  Attributes attributes = link.attributes;
  const bool dequantizes = link.op() == "DequantizeLinear";
  if (dequantizes) {
    const auto rank = static_cast<int>(order.size());
    const auto axis = std::find(order.begin(), order.end(), normalize_axis(link.get_int("axis"), rank));
    attributes.set("axis", int64_t{axis - order.begin()});
  }
  for (int i = 1; i < link.in_count(); ++i)
    inputs.push_back(!link.has_in(i) || dequantizes ? link.source(i) : turned_numbers(b, link.source(i), order));
  return b.op(link.op().c_str(), inputs, attributes);
}

/// The number of groups if the data has `channels` and the weights are for `each` of them.
int64_t group_of(const Node& node, Dimension channels, Dimension each) {
  if (node.has("group")) {
    const int64_t group = node.get_int("group");
    if (group < 1) throw Error(Code::BadAttribute, msg("group is ", group));
    return group;
  }
  if (!channels.is_exact() || !each.is_exact() || channels == each) return 1;
  if (each.min < 1 || channels.min % each.min != 0)
    throw Error(Code::ShapeMismatch, msg("the input has ", channels.min, " channels, the weights ask for ", each.min));
  return std::max<int64_t>(channels.min / each.min, 1);
}

}  // namespace

OutPort turned_weights(Builder& b, OutPort weights, const Ints& order) {
  constexpr size_t kMostLinks = 8;
  std::vector<const Node*> links;
  OutPort root = weights;
  while (!is_constant(root) && links.size() < kMostLinks && is_link(root, order.size())) {
    links.push_back(&root.node());
    root = root.node().source(0);
  }
  const PartialShape& shape = root.tensor().shape;
  const bool aligns = !shape.has_rank() || shape.dimensions().size() == order.size();
  if (!is_constant(root) || !aligns) return b.transpose(weights, order);
  OutPort turned = b.transpose(root, order);
  for (size_t i = links.size(); i-- > 0;) turned = after_turning(b, *links[i], turned, order);
  return turned;
}

ConvolutionWeights ordered_weights(Builder& b, const Node& node, const SpatialDims& dims, bool transposed) {
  const OutPort weights = node.source(1);
  const PartialShape &data = node.source(0).tensor().shape, &shape = weights.tensor().shape;
  Dimension channels = data.has_rank() ? data[dims.channel] : kAnyDimension;
  const auto given = [&](OutPort port, Dimension each) {
    return ConvolutionWeights{port, group_of(node, channels, transposed ? channels : each)};
  };
  const auto order = FilterOrder::of(node, shape.rank());
  if (!order) return given(weights, shape.rank() > 1 ? shape[1] : kAnyDimension);

  const Dimension each = shape[order->inputs()];
  const OutPort turned = turned_weights(b, weights, order->to_ir(transposed));
  if (!order->is_depthwise()) return given(turned, each);
  channels = each;
  if (transposed) return {turned, group_of(node, channels, 1)};
  Ints flat(dims.rank(), 0);
  flat[0] = -1, flat[1] = 1;
  return given(b.reshape(turned, flat), 1);
}

OutPort grouped_weights(Builder& b, OutPort weights, int64_t group) {
  const Tensor& tensor = weights.tensor();
  const PartialShape& shape = tensor.shape;
  if (!shape.has_rank()) throw Error(Code::UnsupportedForm, "grouped weights of unknown rank");
  if (shape.rank() < 3) throw Error(Code::RankMismatch, msg("the weights are [", to_string(shape), "]"));
  if (shape[0].is_exact() && shape[0].min % group != 0)
    throw Error(Code::ShapeMismatch, msg(group, " groups of weights [", to_string(shape), "]"));
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

}  // namespace mo

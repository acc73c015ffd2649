#include "core/back/order_follower.h"

#include <algorithm>

#include "core/back/constant_operands.h"
#include "core/base/text.h"
#include "core/layout/permute_attributes.h"

namespace mo {
namespace {

constexpr uint64_t kMostSharedElements = 4096;

bool is_known(const Tensor& tensor) { return tensor.value || tensor.ints || tensor.from_shape; }

bool has_one_element(const PartialShape& shape) {
  return shape.has_rank() && std::all_of(shape.dimensions().begin(), shape.dimensions().end(),
                                         [](const Dimension& d) { return d == Dimension(1); });
}

/// A constant beside the data: of any rank up to that of the data, and not doubled if it is large.
bool is_operand(OutPort source, int rank) {
  if (!is_constant(source) || source.node().op() != "Const") return false;
  const Constant& value = *source.tensor().value;
  return static_cast<int>(value.shape.size()) <= rank && value.type != ElementType::String &&
         (source.reader_count() == 1 || value.elements() <= kMostSharedElements);
}

bool is_of_elements(const Node& node) {
  const Layout& layout = node.definition()->layout;
  if (layout.broadcasts) return node.op() != "PReLU";
  return layout.kind == LayoutClass::None && node.in_count() == 1;
}

/// Whether it is a Broadcast of a number to a shape.
bool repeats_one_element(const Node& node) {
  if (!node.has_in(1) || node.has_in(2) || node.get_string("mode", "numpy") != "numpy") return false;
  const int rank = OutPort(const_cast<Node*>(&node), 0).tensor().shape.rank();
  return has_one_element(node.source(0).tensor().shape) &&
         node.source(1).tensor().shape == PartialShape{Dimension(rank)};
}

}  // namespace

bool has_order(const Node& node, int i) {
  const OpDef* definition = node.definition();
  const OutPort source = node.source(i);
  if (!source || !definition || has_one_element(source.tensor().shape)) return false;
  return i == 0 || definition->layout.broadcasts || node.op() == "Concat";
}

Follower follower(Node& node) {
  static constexpr std::string_view kFollow[] = {
      "Concat",     "Split",   "VariadicSplit", "Pad",  "Slice",           "CumSum", "SoftMax",
      "LogSoftmax", "Reverse", "StridedSlice",  "Roll", "ShuffleChannels", "MVN"};
  const OpDef* definition = node.definition();
  const std::string_view op = node.op();
  if (!definition || definition != find_op(op) || node.out_count() == 0 || !node.has_in(0) || node.has_control_flow())
    return Follower::No;
  if (node.get_bool("keeps_order")) return Follower::No;  // the runtime recognises a form in this order
  for (int i = 0; i < node.out_count(); ++i)
    if (is_known(node.out(i).tensor()) || !node.out(i).tensor().shape.has_rank()) return Follower::No;
  const PartialShape &x = node.source(0).tensor().shape, &y = node.out(0).tensor().shape;
  if (!x.has_rank()) return Follower::No;
  const bool reduces = op.starts_with("Reduce");
  if (op == "Broadcast") return repeats_one_element(node) ? Follower::Same : Follower::No;
  if (op == "Reshape" || op == "Squeeze" || op == "Unsqueeze" || (reduces && !node.get_bool("keep_dims")))
    return Follower::Blocks;
  const LayoutClass kind = layout_class(node);
  if (is_of_elements(node) ? kind != LayoutClass::None
                           : kind != LayoutClass::Follows || !(reduces || is_one_of(op, kFollow)))
    return Follower::No;
  const int rank = y.rank();
  for (int i = 0; i < node.in_count(); ++i) {
    if (!has_order(node, i)) continue;
    const OutPort source = node.source(i);
    const int own = source.tensor().shape.rank();
    if (is_operand(source, rank) && (own == rank || definition->layout.broadcasts)) continue;
    if (own != rank || is_known(source.tensor())) return Follower::No;
  }
  return Follower::Same;
}

/// Normalisations over the last axes are computed at once.
bool is_good_order(const Node& node, const Ints& order) {
  const std::string_view op = node.op();
  Ints axes;
  if (op == "SoftMax" || op == "LogSoftmax") {
    axes = {node.get_int("axis", 1)};
  } else if (op == "MVN") {
    const auto known = node.source(1).exact_ints();
    if (!known) return false;
    axes = *known;
  } else {
    return true;
  }
  const auto rank = static_cast<int>(order.size());
  const auto are_last = [&](const Ints& some) {
    return std::all_of(some.begin(), some.end(),
                       [&](int64_t axis) { return axis >= static_cast<int64_t>(order.size() - some.size()); });
  };
  for (int64_t& axis : axes) axis = static_cast<int64_t>(normalize_axis(axis, rank));
  return !are_last(axes) || are_last(permute_axes(axes, Permutation(order)));
}

}  // namespace mo

#include "core/back/transposed_region.h"

#include <algorithm>
#include <utility>

#include "core/back/constant_operands.h"
#include "core/back/order_follower.h"
#include "core/back/transpose_order.h"
#include "core/base/text.h"
#include "core/build/builder.h"
#include "core/layout/permute_attributes.h"

namespace mo {
namespace {

constexpr unsigned char kMostVisits = 8;
constexpr size_t kMostReaders = 64;
/// Whether the Transpose moves only dimensions of 1, which keeps the order of elements.
bool moves_ones(const PartialShape& shape, const Ints& order) {
  Ints moved;
  for (const int64_t axis : order)
    if (!(shape[static_cast<size_t>(axis)] == Dimension(1))) moved.push_back(axis);
  return is_identity(moved);
}

/// A constant that an operation reads beside its data.
bool is_operand(OutPort source) { return is_constant(source) && source.node().op() == "Const"; }

}  // namespace

bool TransposedRegion::grow(OutPort start, const Ints& order) {
  assign(start, order);
  while (!open_.empty() && !failed_) {
    const OutPort tensor = open_.front();
    open_.pop_front();
    spread(tensor);
  }
  return !failed_ && !nodes_.empty();
}

/// Remembers the order of a tensor. The region fails if it has another one.
void TransposedRegion::assign(OutPort tensor, const Ints& order) {
  const auto [place, is_new] = orders_.try_emplace(key(tensor), order);
  failed_ |= place->second != order;
  if (!is_new) return;
  tensors_.push_back(tensor);
  if (!is_identity(order)) open_.push_back(tensor);
}

/// Enters the nodes around a tensor. One that comes from outside is left to its other readers, unless a Transpose makes
/// it that is not needed in the new order.
void TransposedRegion::spread(OutPort tensor) {
  const Ints order = order_of(tensor);
  const auto from = transpose_order(tensor.node());
  if (!enter(tensor.node(), {}) && !(from && inverse_order(*from) == order)) return;
  for (const InPort& reader : tensor.destinations())
    if (!failed_ && has_order(reader.node(), reader.index())) enter(reader.node(), tensor);
}

/// Takes the node into the region: from its input `from`, or from its outputs. False if it does not follow the order.
bool TransposedRegion::enter(Node& node, OutPort from) {
  const auto [known, is_new] = entered_.try_emplace(node.id(), false);
  if (!is_new) return known->second;
  if (visits_.size() <= static_cast<size_t>(node.id())) visits_.resize(static_cast<size_t>(node.id()) + 1);
  unsigned char& visits = visits_[static_cast<size_t>(node.id())];
  const Follower kind = follower(node);
  if (kind == Follower::No) return false;
  if (visits == kMostVisits) return failed_ = true, false;
  ++visits;
  if (kind == Follower::Blocks) {
    const auto blocks = dimension_blocks(node, origins_);
    return blocks && enter_blocks(node, *blocks, bool(from));
  }
  Ints order;
  if (from) order = order_of(from);
  for (int i = 0; i < node.out_count() && order.empty(); ++i)
    if (const auto found = orders_.find(key(node.out(i))); found != orders_.end()) order = found->second;
  if (static_cast<int>(order.size()) != node.out(0).tensor().shape.rank() || !is_good_order(node, order)) return false;
  add({&node, order, order, {}});
  for (int i = 0; i < node.in_count(); ++i)
    if (has_order(node, i) && !is_operand(node.source(i))) assign(node.source(i), order);
  for (int i = 0; i < node.out_count(); ++i) assign(node.out(i), order);
  return true;
}

bool TransposedRegion::enter_blocks(Node& node, const DimensionBlocks& blocks, bool forwards) {
  const OutPort x = node.source(0), y = node.out(0), from = forwards ? x : y, to = forwards ? y : x;
  const auto other = order_through(blocks, order_of(from), forwards, wanted(to));
  if (!other) return false;
  RegionNode made{&node, forwards ? order_of(from) : *other, forwards ? *other : order_of(from), {}};
  if (node.op() == "Reshape") {
    const auto pattern = pattern_through(node, blocks, made.before, made.after);
    if (!pattern) return false;
    made.pattern = *pattern;
  }
  add(std::move(made));
  assign(to, *other);
  return true;
}

void TransposedRegion::add(RegionNode made) {
  const Node& node = *made.node;
  entered_[node.id()] = true;
  for (int i = 0; i < node.in_count(); ++i)
    if (has_order(node, i)) ++readers_[key(node.source(i))];
  nodes_.push_back(std::move(made));
}

/// The order that a Transpose around the tensor would spare; empty without one.
Ints TransposedRegion::wanted(OutPort tensor) const {
  if (const auto found = orders_.find(key(tensor)); found != orders_.end()) return found->second;
  if (const auto order = transpose_order(tensor.node())) return inverse_order(*order);
  if (tensor.reader_count() > kMostReaders) return {};
  for (const InPort& reader : tensor.destinations())
    if (const auto order = transpose_order(reader.node()); order && reader.index() == 0) return *order;
  return {};
}

bool TransposedRegion::is_made_inside(OutPort tensor) const {
  const auto found = entered_.find(tensor.node().id());
  return found != entered_.end() && found->second;
}

bool TransposedRegion::is_inside(const InPort& port) const {
  return is_made_inside(port.node()) && has_order(port.node(), port.index());
}

bool TransposedRegion::spares_transposes() const {
  int all = 0, moving = 0;
  for (const OutPort& tensor : tensors_) {
    const Ints& order = order_of(tensor);
    if (is_identity(order)) continue;
    const int more = more_transposes(tensor, order);
    all += more;
    if (!moves_ones(tensor.tensor().shape, order)) moving += more;
  }
  return moving < 0 ? all <= 0 : moving == 0 && all < 0;
}

/// How many Transposes more there are before the tensor, or behind it, if the region computes in this order.
int TransposedRegion::more_transposes(OutPort tensor, const Ints& order) const {
  int more = 0;
  if (!is_made_inside(tensor)) {
    const auto from = transpose_order(tensor.node());
    const auto inside = readers_.find(key(tensor));
    const bool goes = from && inside != readers_.end() && inside->second == tensor.reader_count();
    more += !from || !is_identity(joined_orders(*from, order));
    return more - (goes && !is_identity(*from));
  }
  bool others = false;
  for (const InPort& reader : tensor.destinations()) {
    if (is_inside(reader)) continue;
    const auto next = reader.index() == 0 ? transpose_order(reader.node()) : std::nullopt;
    if (!next)
      others |= reader.node().op() != "MatMul" || !swaps_rows_and_columns(order);
    else
      more += is_identity(*next) - (*next == order);
  }
  return more + others;
}

void TransposedRegion::apply() {
  std::vector<std::pair<OutPort, std::vector<InPort>>> leaving;
  for (const OutPort& tensor : tensors_) {
    const Ints& order = order_of(tensor);
    if (is_identity(order) || !is_made_inside(tensor)) continue;
    std::vector<InPort> outside = tensor.destinations();
    std::erase_if(outside, [&](const InPort& reader) { return is_inside(reader); });
    leaving.emplace_back(tensor, std::move(outside));
    tensor.tensor().shape = permute_shape(tensor.tensor().shape, Permutation(order));
  }
  for (const RegionNode& inside : nodes_) {
    Node& node = *inside.node;
    for (int i = 0; i < node.in_count(); ++i) {
      const OutPort source = node.source(i);
      if (!has_order(node, i)) continue;
      if (is_operand(source))
        node.in(i).connect(constant_operand(source, inside.after));
      else if (!is_made_inside(source))
        node.in(i).connect(entering(source, inside.before));
    }
  }
  for (const RegionNode& inside : nodes_) turn(inside);
  for (const auto& [tensor, outside] : leaving) leave(tensor, outside);
}

/// The tensor from outside in the new order.
OutPort TransposedRegion::entering(OutPort source, const Ints& order) {
  if (is_identity(order)) return source;
  OutPort& made = operands_[{key(source), order}];
  if (made) return made;
  const auto from = transpose_order(source.node());
  const OutPort x = from ? source.node().source(0) : source;
  Ints all = from ? joined_orders(*from, order) : order;
  if (is_made_inside(x)) all = joined_orders(inverse_order(order_of(x)), all);
  return made = is_identity(all) ? x : Builder(source.node()).transpose(x, all);
}

OutPort TransposedRegion::constant_operand(OutPort source, const Ints& order) {
  OutPort& made = operands_[{key(source), order}];
  if (made) return made;
  const Constant& value = *source.tensor().value;
  Shape shape(order.size() - value.shape.size(), 1);
  shape.insert(shape.end(), value.shape.begin(), value.shape.end());
  Node& node = source.node();
  return made = node.graph().constant(transpose(reshape(value, std::move(shape)), order), node.name());
}

void TransposedRegion::turn(const RegionNode& inside) {
  Node& node = *inside.node;
  Builder b(node);
  const std::string_view op = node.op();
  node.require_shape_inference();
  if (op == "Reshape") {
    node.in(1).connect(b.i64(inside.pattern));
  } else if (op == "Broadcast") {
    node.in(1).connect(b.gather(node.source(1), b.i64(inside.after), 0));
  } else if (inside.before.size() == inside.after.size()) {
    const Permutation p(inside.before);
    permute_attributes(node, node.definition()->layout.rules, p);
    permute_inputs(node, node.definition()->layout.rules, p);
  } else {
    // Axes of the higher rank.
    Ints axes = *node.source(1).exact_ints();
    const Ints& order = op == "Unsqueeze" ? inside.after : inside.before;
    axes = permute_axes(axes, Permutation(order));
    std::sort(axes.begin(), axes.end());
    node.in(1).connect(b.i64(axes));
  }
}

/// Gives readers outside of the region what they read before.
void TransposedRegion::leave(OutPort tensor, const std::vector<InPort>& readers) {
  const Ints order = order_of(tensor), back = inverse_order(order);
  NameList names = std::exchange(tensor.tensor().names, {});
  OutPort turned;
  Graph& graph = tensor.node().graph();
  for (const InPort& reader : readers) {
    Node& node = reader.node();
    const auto next = reader.index() == 0 ? transpose_order(node) : std::nullopt;
    if (!next) {
      if (!turned) {
        turned = Builder(tensor.node()).transpose(tensor, back);
        turned.tensor().names = std::move(names);
      }
      reader.connect(turned);
    } else if (*next == order) {
      // An operation that a Transpose has followed has its own name again.
      std::string name = node.name();
      node.out(0).connection().set_source(tensor, TensorNames::Merge);
      graph.remove(node);
      if (tensor.node().name() == cat(name, "/prev")) tensor.node().set_name(std::move(name));
    } else {
      node.in(1).connect(graph.constant(make_i64(joined_orders(back, *next)), node.name() + "/order"));
    }
  }
}

}  // namespace mo

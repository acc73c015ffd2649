#include "core/layout/permute_attributes.h"

#include <algorithm>
#include <numeric>

#include "core/build/builder.h"

namespace mo {
namespace {

using RuleKind = LayoutRule::Kind;

/// Applies `change` to Ints; a single number counts as a list of one.
Attribute changed(const Node& node, const LayoutRule& rule, const Attribute& value,
                  Ints (*change)(const Ints&, const Permutation&), const Permutation& p) {
  if (const auto* list = std::get_if<Ints>(&value)) return change(*list, p);
  if (const auto* number = std::get_if<int64_t>(&value)) return change({*number}, p).at(0);
  throw Error(Code::BadAttribute, msg(rule.attribute, " is no list of numbers"), node.place());
}

Attribute permuted(const Node& node, const LayoutRule& rule, const Attribute& value, const Permutation& p) {
  switch (rule.kind) {
    case RuleKind::Inv:
    case RuleKind::Axis: return changed(node, rule, value, permute_axes, p);
    case RuleKind::Order: return changed(node, rule, value, permute_order, p);
    case RuleKind::Transpose:
      if (const auto* constant = std::get_if<Constant>(&value)) return transpose(*constant, p.perm);
      break;
    case RuleKind::Perm:
    case RuleKind::Shape:
    case RuleKind::Slice:
      if (const auto* shape = std::get_if<PartialShape>(&value)) return permute_shape(*shape, p);
      if (const auto* list = std::get_if<Ints>(&value)) return permute_numbers(*list, p);
      break;
    case RuleKind::Keep: return value;
  }
  throw Error(Code::BadAttribute, msg(rule.attribute, " is not of the kind its layout rule asks for"), node.place());
}

/// Gather(data, indices), with Model Optimizer's name.
OutPort insert_gather(Builder& b, OutPort data, OutPort indices, std::string_view name, const Node& of) {
  const OutPort out = b.gather(data, indices, 0);
  out.node().set_name(b.graph().unique_name(cat(of.name(), "/", name)));
  return out;
}

/// The axes meant by a missing input, if their number is known.
std::optional<Ints> axes_left_out(const Node& node, const LayoutRule& rule) {
  if (rule.counted_by < 0 || !node.has_in(rule.counted_by)) return std::nullopt;
  const Interval count = node.source(rule.counted_by).tensor().shape.elements();
  if (!count.is_exact() || count.min > 64) return std::nullopt;
  Ints axes(static_cast<size_t>(count.min));
  std::iota(axes.begin(), axes.end(), 0);
  return axes;
}

/// The rank of the permuted data; -1 when it is unknown.
int data_rank(Node& node) {
  if (const OutPort source = node.source(0)) return source.tensor().shape.rank();
  return node.out_count() > 0 ? node.out(0).tensor().shape.rank() : -1;
}

/// Whether the rule can be applied to its attribute or input for data of `rank` dimensions.
bool can_turn(const Node& node, const LayoutRule& rule, int rank) {
  const bool by_axis = rule.kind == RuleKind::Shape || rule.kind == RuleKind::Slice || rule.kind == RuleKind::Order;
  if (rule.input < 0) {
    const Attribute* value = node.attributes.find(rule.attribute);
    if (!value) return rule.kind != RuleKind::Inv;
    const auto* list = std::get_if<Ints>(value);
    if (!list || rule.kind == RuleKind::Inv) return true;
    const auto count = static_cast<int>(list->size());
    return rule.kind == RuleKind::Order ? count == rank : count <= rank;
  }
  const OutPort source = node.source(rule.input);
  if (!source) return rule.kind != RuleKind::Axis || axes_left_out(node, rule).has_value();
  return !by_axis || source.tensor().shape == PartialShape{Dimension(rank)};
}

/// What an extension says of the node. A list without elements has no type.
std::optional<Strings> own_dim_attributes(const Node& node) {
  if (const auto* names = node.attributes.get_if<Strings>("dim_attrs")) return *names;
  const auto* list = node.attributes.get_if<Ints>("dim_attrs");
  return list && list->empty() ? std::optional(Strings()) : std::nullopt;
}

}  // namespace

Permutation::Permutation(Ints order) : perm(std::move(order)), inv(perm.size(), -1) {
  for (size_t i = 0; i < perm.size(); ++i) {
    const int64_t from = perm[i];
    if (from < 0 || from >= static_cast<int64_t>(perm.size()) || inv[static_cast<size_t>(from)] >= 0)
      throw Error(Code::BadValue, "an order of axes that is no permutation");
    inv[static_cast<size_t>(from)] = static_cast<int64_t>(i);
  }
}

bool Permutation::is_identity() const { return std::is_sorted(perm.begin(), perm.end()); }

Permutation Permutation::inverse() const {
  Permutation out;
  out.perm = inv;
  out.inv = perm;
  return out;
}

Permutation nhwc_to_nchw(size_t rank) {
  Ints order(rank);
  std::iota(order.begin(), order.end(), 0);
  if (rank > 3) std::rotate(order.begin() + 1, order.end() - 1, order.end());
  return Permutation(std::move(order));
}

Permutation nchw_to_nhwc(size_t rank) { return nhwc_to_nchw(rank).inverse(); }

Ints permute_numbers(Ints numbers, const Permutation& p) {
  if (numbers.empty()) return numbers;
  if (numbers.size() > p.rank())
    throw Error(Code::ShapeMismatch, msg(numbers.size(), " numbers for ", p.rank(), " axes"));
  numbers.resize(p.rank(), 0);
  Ints out;
  for (const int64_t from : p.perm) out.push_back(numbers[static_cast<size_t>(from)]);
  return out;
}

Ints permute_axes(const Ints& axes, const Permutation& p) {
  Ints out;
  for (const int64_t axis : axes) out.push_back(p.inv[normalize_axis(axis, static_cast<int>(p.rank()))]);
  return out;
}

Ints permute_order(const Ints& order, const Permutation& p) { return permute_axes(permute_numbers(order, p), p); }

PartialShape permute_shape(const PartialShape& shape, const Permutation& p) {
  if (!shape.has_rank()) return shape;
  if (shape.dimensions().size() != p.rank())
    throw Error(Code::ShapeMismatch, msg("[", to_string(shape), "] in an order of ", p.rank(), " axes"));
  std::vector<Dimension> out;
  for (const int64_t from : p.perm) out.push_back(shape[static_cast<size_t>(from)]);
  return out;
}

bool is_data_input(const LayoutRules& rules, int index) {
  return std::none_of(rules.begin(), rules.end(), [&](const LayoutRule& rule) { return rule.input == index; });
}

LayoutClass layout_class(Node& node) {
  const OpDef* def = node.definition();
  if (!def) return LayoutClass::Reshapes;
  const Layout& layout = def->layout;
  if (layout.kind == LayoutClass::None || layout.kind == LayoutClass::Reshapes) return layout.kind;
  if (layout.reshapes && layout.reshapes(node)) return LayoutClass::Reshapes;
  const int rank = data_rank(node);
  // Without a rank nothing is permuted; but a spatial operation must have its axes as attributes.
  for (const LayoutRule& rule : layout.rules)
    if ((rank >= 0 || rule.kind == RuleKind::Inv) && !can_turn(node, rule, rank)) return LayoutClass::Reshapes;
  for (int i = 0; i < node.out_count() && layout.kind == LayoutClass::Follows; ++i)
    if (node.out(i).tensor().shape.rank() != rank) return LayoutClass::Reshapes;
  return layout.kind;
}

Strings dim_attributes(const Node& node) {
  if (const auto own = own_dim_attributes(node)) return *own;
  Strings out;
  if (const OpDef* def = node.definition())
    for (const LayoutRule& rule : def->layout.rules)
      if (rule.kind == RuleKind::Inv) out.emplace_back(rule.attribute);
  return out;
}

void permute_attributes(Node& node, const LayoutRules& rules, const Permutation& p) {
  const auto permute = [&](const LayoutRule& rule) {
    const Attribute* value = rule.attribute ? node.attributes.find(rule.attribute) : nullptr;
    if (value) node.set(rule.attribute, permuted(node, rule, *value, p));
  };
  const std::optional<Strings> own = own_dim_attributes(node);
  for (const LayoutRule& rule : rules)
    if (rule.kind != RuleKind::Inv || !own) permute(rule);
  if (!own) return;
  for (const std::string& attribute : *own) permute({.kind = RuleKind::Inv, .attribute = attribute.c_str()});
}

void permute_inputs(Node& node, const LayoutRules& rules, const Permutation& p) {
  Builder b(node);
  for (const LayoutRule& rule : rules) {
    if (rule.input < 0 || rule.kind == RuleKind::Keep) continue;
    const OutPort source = node.source(rule.input);
    OutPort turned;
    if (!source) {
      const auto axes = rule.kind == RuleKind::Axis ? axes_left_out(node, rule) : std::nullopt;
      if (!axes) continue;
      node.add_in_ports(rule.input + 1);
      turned = b.i64(permute_axes(*axes, p));
    } else if (rule.kind == RuleKind::Axis) {
      turned = insert_gather(b, b.i64(p.inv), source, "AxisGather", node);
    } else if (rule.kind == RuleKind::Order) {
      turned = insert_gather(b, source, b.i64(p.perm), "OrderGather_1", node);
      turned = insert_gather(b, b.i64(p.inv), turned, "OrderGather_2", node);
    } else {
      turned = insert_gather(b, source, b.i64(p.perm), "ShapeGather", node);
    }
    node.in(rule.input).connect(turned);
  }
}

}  // namespace mo

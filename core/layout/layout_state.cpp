#include "core/layout/layout_state.h"

#include <algorithm>
#include <utility>

#include "core/ops/spatial.h"

namespace mo {
namespace {

/// Marks the Transposes of turned(), which are not permuted themselves.
constexpr std::string_view kTurning = "nchw_layout";

const LayoutRules& layout_rules_of(const Node& node) {
  static const LayoutRules none;
  const OpDef* def = node.definition();
  return def ? def->layout.rules : none;
}

struct DataRanks {
  bool turnable = false, known = true;
  void add(const Tensor& tensor) {
    turnable |= tensor.shape.rank() > 3;
    known &= tensor.shape.has_rank();
  }
};

/// The ranks of data inputs and outputs.
DataRanks data_ranks(Node& node) {
  DataRanks out;
  for (int i = 0; i < node.in_count(); ++i)
    if (const OutPort source = node.source(i); source && is_data_input(layout_rules_of(node), i))
      out.add(source.tensor());
  for (int i = 0; i < node.out_count(); ++i) out.add(OutPort(&node, i).tensor());
  return out;
}

/// Whether the axes that remain after dropping some have the same order in both layouts.
bool drops_in_order(Node& node) {
  const OpDef* def = node.definition();
  if (!def || !def->layout.drops_axes || node.out_count() != 1 || is_turnable(node.out())) return false;
  const OutPort data = node.source(0);
  const auto axes = node.source(1).exact_ints();
  if (!data || !axes || node.out().tensor().shape.rank() < 0) return false;
  const int rank = data.tensor().shape.rank();
  if (rank < 4) return false;
  std::vector<char> dropped(static_cast<size_t>(rank), 0);
  for (const int64_t axis : *axes) dropped[normalize_axis(axis, rank)] = 1;
  int64_t last = -1;
  const Permutation p = nhwc_to_nchw(dropped.size());
  for (size_t i = 0; i < dropped.size(); ++i) {
    if (dropped[i]) continue;
    if (p.inv[i] < last) return false;
    last = p.inv[i];
  }
  return true;
}

bool is_channels_last(Node& node) {
  const auto order = spatial_order(node);
  return order && order->rank() > 3 && order->perm == nhwc_to_nchw(order->rank()).perm;
}

}  // namespace

bool is_turnable(OutPort port) { return port.tensor().shape.rank() > 3; }

bool keeps_order(const PartialShape& shape) {
  if (shape.rank() < 4) return true;
  const auto is_one = [](const Dimension& d) { return d == Dimension(1); };
  const auto& dims = shape.dimensions();
  return is_one(dims.back()) || std::all_of(dims.begin() + 1, dims.end() - 1, is_one);
}

bool is_boundary(const Node& node) { return node.op() == "Parameter" || node.op() == "Result"; }

namespace {

Standing standing_of(Node& node) {
  if (node.op() == "Const") return Standing::Free;
  if (node.op() == "Transpose" && node.get_bool(kTurning)) return Standing::Turning;
  const OpDef* def = node.definition();
  const DataRanks ranks = data_ranks(node);
  if (!ranks.turnable || node.op() == "ShapeOf") return Standing::Outside;
  if (!def || !ranks.known || is_boundary(node)) return Standing::Framework;
  if (def->layout.kind == LayoutClass::Spatial) return is_channels_last(node) ? Standing::Nchw : Standing::Framework;
  if (drops_in_order(node) || equation_in_nchw(node)) return Standing::Free;
  const LayoutClass kind = layout_class(node);
  return kind == LayoutClass::None || kind == LayoutClass::Follows ? Standing::Free : Standing::Framework;
}

}  // namespace

Standing Layouts::standing(Node& node) {
  const auto id = static_cast<size_t>(node.id());
  if (id >= known_.size()) known_.resize(id + 1, -1);
  if (known_[id] < 0) known_[id] = static_cast<signed char>(standing_of(node));
  return static_cast<Standing>(known_[id]);
}

bool Layouts::works_in_nchw(Node& node) {
  switch (standing(node)) {
    case Standing::Nchw: return true;
    case Standing::Free: return node.out_count() > 0 && OutPort(node).tensor().layout != LayoutMark::Correct;
    default: return false;
  }
}

End Layouts::layout_of(OutPort source) {
  if (!source || !is_turnable(source)) return End::Any;
  const bool nchw = standing(source.node()) == Standing::Turning ? source.tensor().layout != LayoutMark::Correct
                                                                 : works_in_nchw(source.node());
  return nchw ? End::Nchw : End::Framework;
}

End Layouts::layout_at(InPort port) {
  const OutPort source = port.source();
  if (!source || !is_turnable(source)) return End::Any;
  Node& node = port.node();
  const Standing stands = standing(node);
  if (stands == Standing::Outside) return End::Any;
  if (stands == Standing::Turning) return layout_of(node) == End::Nchw ? End::Framework : End::Nchw;
  return is_data_input(layout_rules_of(node), port.index()) && works_in_nchw(node) ? End::Nchw : End::Framework;
}

bool Layouts::disagree(InPort port) {
  const End from = layout_of(port.source()), to = layout_at(port);
  return from != End::Any && to != End::Any && from != to;
}

OutPort Layouts::turned(OutPort source) {
  OutPort& made = turned_[{source.node().id(), source.index()}];
  if (made) return made;
  for (const InPort& port : source.destinations())
    if (standing(port.node()) == Standing::Turning) return made = port.node();
  Graph& graph = source.node().graph();
  const bool to_nchw = layout_of(source) == End::Framework;
  const size_t rank = source.tensor().shape.dimensions().size();
  Node& node = graph.add_node("Transpose", cat(source.node().name(), "/Transpose"));
  node.set(kTurning, true);
  node.add_in_ports(2);
  node.add_out_ports(1);
  node.in(0).connect(source);
  node.in(1).connect(
      graph.constant(make_i64((to_nchw ? nhwc_to_nchw(rank) : nchw_to_nhwc(rank)).perm), cat(node.name(), "/order")));
  Tensor& tensor = node.out().tensor();
  tensor.shape = source.tensor().shape;
  tensor.type = source.tensor().type;
  tensor.layout = to_nchw ? LayoutMark::Permuted : LayoutMark::Correct;
  if (!to_nchw) tensor.names = std::exchange(source.tensor().names, {});
  node.require_shape_inference();
  return made = node;
}

std::optional<Permutation> spatial_order(const Node& node) {
  const OpDef* def = node.definition();
  if (!def || def->layout.kind != LayoutClass::Spatial || !node.has("channel_dims")) return std::nullopt;
  const SpatialDims dims = spatial_dims(node, node.get_ints("spatial_dims").size() + 2);
  Ints order{static_cast<int64_t>(dims.batch), static_cast<int64_t>(dims.channel)};
  order.insert(order.end(), dims.spatial.begin(), dims.spatial.end());
  return Permutation(std::move(order));
}

}  // namespace mo

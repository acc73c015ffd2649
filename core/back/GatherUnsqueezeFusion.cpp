// Before: Unsqueeze(Gather(data, i, axis), axis), i a constant of one number
// After:  Gather(data, [i], axis)
// Before: Unsqueeze(Gather(data, i, 0) / 2, 0)
// After:  Gather(data, [i], 0) / 2, also with other arithmetic and casts
// Conditions: the Gather and what is computed of it have no other consumers; no batch dimensions; for arithmetic, data
// is the shape of a tensor that has an unknown dimension. Exporters write this for one dimension of a shape.

#include <unordered_map>

#include "core/base/text.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class GatherUnsqueezeFusion final : public BackReplacementPattern {
 public:
  Names run_after() const override { return {"BackStart", "MergeEqualShapeOperations"}; }
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    dimensions_.clear();
    for (Node* node : graph.nodes("Unsqueeze"))
      if (is_of_scalar(*node) && is_arithmetic(node->source(0).node()) && can_move(node->source(0), kMaxSteps)) {
        const OutPort moved = unsqueezed(node->source(0));
        node->out(0).connection().set_source(moved, TensorNames::Merge);
        graph.remove(*node);
      }
    for (Node* node : graph.nodes("Unsqueeze")) {
      const OutPort taken = node->source(0);
      if (!taken || taken.node().op() != "Gather" || taken.reader_count() != 1) continue;
      const Node& gather = taken.node();
      const OutPort index = gather.source(1);
      const int rank = gather.source(0).tensor().shape.rank();
      if (rank < 1 || gather.get_int("batch_dims") != 0 || index.tensor().shape.rank() != 0) continue;
      const auto number = index.exact_int(), axis = gather.source(2).exact_int(), added = node->source(1).exact_int();
      if (!number || index.node().op() != "Const" || !axis || !added ||
          normalize_axis(*axis, rank) != normalize_axis(*added, rank))
        continue;
      Builder b(*node);
      const OutPort indices = b.constant(reshape(*index.tensor().value, {1}));
      Node& made = b.node("Gather", {gather.source(0), indices, gather.source(2)});
      graph.replace(*node, made);
    }
  }

 private:
  static constexpr int kMaxSteps = 8;

  static bool is_arithmetic(const Node& node) {
    constexpr std::string_view kOps[] = {"Add", "Sub", "Mul", "Div", "FloorMod", "Mod", "Minimum", "Maximum", "Cast"};
    return is_one_of(node.op(), kOps);
  }
  static bool is_of_scalar(const Node& unsqueeze) {
    const OutPort data = unsqueeze.source(0), axes = unsqueeze.source(1);
    return data && axes && data.tensor().shape.rank() == 0 && axes.tensor().shape == PartialShape{Dimension(1)};
  }
  static bool is_constant(const OutPort& port) { return port && port.node().op() == "Const"; }

  /// Whether a scalar is computed from dimensions that are read for this only.
  bool can_move(const OutPort& port, int steps) {
    const Node& node = port.node();
    if (steps == 0 || port.tensor().shape.rank() != 0) return false;
    if (node.op() == "Gather") {
      const OutPort data = node.source(0), index = node.source(1);
      if (!data || data.node().op() != "ShapeOf" || data.node().source(0).tensor().shape.is_static() ||
          !is_constant(index) || index.tensor().shape.rank() != 0)
        return false;
      return dimension(port).can_move;
    }
    if (!is_arithmetic(node) || port.reader_count() != 1) return false;
    bool any = false;
    for (int i = 0; i < node.in_count(); ++i) {
      const OutPort source = node.source(i);
      if (!source || (!is_constant(source) && !can_move(source, steps - 1))) return false;
      if (is_constant(source) && source.tensor().shape.rank() != 0) return false;
      any |= !is_constant(source);
    }
    return any;
  }

  /// What the consumers of a Gather say, of which there may be many: that holds until all scalars are moved.
  struct GatheredDimension {
    bool can_move = true;
    OutPort vector;  ///< the first Unsqueeze
  };
  GatheredDimension& dimension(const OutPort& port) {
    const auto [entry, is_new] = dimensions_.try_emplace(port.node().id());
    GatheredDimension& known = entry->second;
    if (!is_new) return known;
    for (const InPort& use : port.destinations()) {
      const bool unsqueezes = use.node().op() == "Unsqueeze" && is_of_scalar(use.node());
      if (unsqueezes && !known.vector) known.vector = use.node().out(0);
      known.can_move &= unsqueezes || is_arithmetic(use.node());
    }
    return known;
  }

  /// The scalar as a vector of one number.
  OutPort unsqueezed(OutPort port) {
    Node& node = port.node();
    if (node.op() == "Gather") {
      OutPort& vector = dimension(port).vector;
      return vector ? vector : vector = Builder(node).unsqueeze(port, {0});
    }
    for (int i = 0; i < node.in_count(); ++i)
      if (!is_constant(node.source(i))) node.in(i).connect(unsqueezed(node.source(i)));
    port.tensor().names.clear();  // the model's tensor is a scalar
    return port;
  }

  std::unordered_map<int, GatheredDimension> dimensions_;  ///< by the ids of Gathers
};

}  // namespace
MO_DEFINE_TRANSFORM(GatherUnsqueezeFusion)
}  // namespace mo

// Before: Normalize(x [, weights]) {across_spatial, channel_shared, eps}
// After:  NormalizeL2(x, axes) {eps, eps_mode: add} * weights; the axis is the channel's; with across_spatial, all axes
//         but the batch's
// Conditions: across_spatial, and weights by channel, need a known rank of x. Weights that are all one are omitted.

#include <algorithm>
#include <numeric>

#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class NormalizeToNormalizeL2 final : public BackReplacementPattern {
 public:
  Names run_after() const override { return {"BackStart", "CompatibilityL2NormalizationPattern"}; }
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes("Normalize")) replace(graph, *node);
  }

 private:
  static void replace(Graph& graph, Node& node) {
    const OutPort x = node.source(0);
    if (!x) return;
    const int rank = x.tensor().shape.rank();
    Ints axes{1};
    if (node.get_bool("across_spatial")) {
      if (rank < 2) return;
      axes.resize(static_cast<size_t>(rank) - 1);
      std::iota(axes.begin(), axes.end(), 1);
    }
    Builder b(node);
    Node& normalize =
        b.node("NormalizeL2", {x, b.i64(axes)}, {{"eps", node.get_float("eps", 1e-10)}, {"eps_mode", "add"}});
    Node* last = &normalize;
    if (const OutPort weights = node.source(1); weights && !is_ones(weights)) {
      const bool by_channel = !(weights.tensor().shape.elements() == Interval(1));
      if (by_channel && rank < 2) return;
      Ints shape(by_channel ? static_cast<size_t>(rank) : 1, 1);
      if (by_channel) shape[1] = -1;
      last = &b.node("Mul", {normalize, b.reshape(weights, shape)});
    }
    const std::string name = node.name();
    node.out(0).connection().set_source(*last);
    graph.remove(node);
    graph.rename_nodes({{last, name}});
  }

  static bool is_ones(OutPort weights) {
    const auto& value = weights.tensor().value;
    if (!value) return false;
    const auto numbers = read_doubles(*value, weights.node().graph().files(), 1 << 16);
    return numbers && std::all_of(numbers->begin(), numbers->end(), [](double v) { return v == 1; });
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(NormalizeToNormalizeL2)
}  // namespace mo

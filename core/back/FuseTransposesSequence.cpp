// Before: Transpose -> Transpose
// After:  one Transpose with both orders, or none if they cancel; a Transpose that changes nothing is removed, too
// Conditions: both orders are constants; the first has no other consumer, unless both are removed.

#include <numeric>

#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class FuseTransposesSequence final : public BackReplacementPattern {
 public:
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes("Transpose")) {
      auto order = order_of(*node);
      while (order) {
        if (is_identity(*order)) {
          node->out(0).connection().set_source(node->source(0), TensorNames::Merge);
          graph.remove(*node);
          break;
        }
        const OutPort source = node->source(0);
        if (source.node().op() != "Transpose") break;
        const auto first = order_of(source.node());
        if (!first || first->size() != order->size()) break;
        Ints both;
        for (const int64_t axis : *order) both.push_back((*first)[static_cast<size_t>(axis)]);
        if (source.reader_count() != 1 && !is_identity(both)) break;
        node->in(0).connect(source.node().source(0));
        node->in(1).connect(graph.constant(make_i64(both), node->name() + "/order"));
        order = both;
      }
    }
  }

 private:
  static bool is_identity(const Ints& order) {
    Ints identity(order.size());
    std::iota(identity.begin(), identity.end(), 0);
    return order == identity;
  }

  /// The order if it is known. An empty order reverses the dimensions and is written out.
  static std::optional<Ints> order_of(const Node& node) {
    const OutPort x = node.source(0), order = node.source(1);
    if (!x || !order || !order.tensor().ints || !order.tensor().ints->is_exact() || order.tensor().from_shape)
      return std::nullopt;
    Ints axes = order.tensor().ints->exact();
    if (axes.empty() && x.tensor().shape.has_rank()) {
      axes.resize(x.tensor().shape.dimensions().size());
      std::iota(axes.rbegin(), axes.rend(), 0);
    }
    for (const int64_t axis : axes)
      if (axis < 0 || axis >= static_cast<int64_t>(axes.size())) return std::nullopt;
    return axes.empty() ? std::nullopt : std::optional<Ints>(axes);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(FuseTransposesSequence)
}  // namespace mo

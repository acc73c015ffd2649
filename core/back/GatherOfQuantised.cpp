// Before: y = Gather(FakeQuantize(x, low, high, least, most), 3, axis)
// After:  y = Squeeze(Gather(FakeQuantize(x, low, high, least, most), [3], axis), axis)
// Conditions: the index is a scalar, and a range has several numbers. The same behind operations that dequantise, or
// only move numbers. A runtime that computes in bytes dequantises behind the Gather, with the dimensions from before.

#include "core/back/constant_operands.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class GatherOfQuantised final : public BackReplacementPattern {
 public:
  Names run_after() const override { return {"GatherNormalizer", "ReshapeOfReduced"}; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes("Gather")) {
      const OutPort x = node->source(0), index = node->source(1), axis = node->source(2);
      if (!x || !index || !axis || index.tensor().shape.rank() != 0 || !is_constant(axis)) continue;
      const Node* quantised = quantisation_of(x);
      if (!quantised || !has_several_ranges(*quantised)) continue;
      Builder b(*node);
      const Attributes attributes = node->attributes;
      const OutPort one = b.op("Gather", {x, b.unsqueeze(index, {0}), axis}, attributes);
      graph.replace(*node, b.op("Squeeze", {one, axis}).node());
    }
  }

 private:
  static bool has_several_ranges(const Node& quantised) {
    for (int i = 1; i < quantised.in_count(); ++i)
      if (const OutPort limit = quantised.source(i); limit && limit.tensor().shape.elements() != Interval(1))
        return true;
    return false;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(GatherOfQuantised)
}  // namespace mo

// Before: Reshape -> Reshape, or Squeeze or Unsqueeze -> Reshape
// After:  the last Reshape alone
// Conditions: the first has no other consumer; the pattern of the last one has no 0 that copies a dimension.

#include <algorithm>

#include "core/rewrite/middle_replacement.h"

namespace mo {
namespace {

class FuseReshapesSequence final : public MiddleReplacementPattern {
 public:
  Names run_after() const override { return {"MiddleFinish"}; }
  Names run_before() const override { return {"PostMiddleStart"}; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes("Reshape")) {
      while (const OutPort source = node->source(0)) {
        Node& first = source.node();
        const bool only_reshapes = first.op() == "Reshape" || first.op() == "Squeeze" || first.op() == "Unsqueeze";
        if (!only_reshapes || !first.has_in(0) || source.reader_count() != 1 || !stands_alone(*node)) break;
        node->in(0).connect(first.source(0));
        graph.remove(first);
      }
    }
  }

 private:
  static bool stands_alone(const Node& reshape) {
    if (!reshape.get_bool("special_zero", true)) return true;
    const OutPort pattern = reshape.source(1);
    if (!pattern || !pattern.tensor().ints) return false;
    const auto& elements = pattern.tensor().ints->elements;
    return std::all_of(elements.begin(), elements.end(), [](Interval e) { return e.min > 0 || e == Interval(-1); });
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(FuseReshapesSequence)
}  // namespace mo

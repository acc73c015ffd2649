// Before: any graph
// After:  the same graph; one with a cycle is an error that names it
// Conditions: none.

#include "core/rewrite/middle_replacement.h"

namespace mo {
namespace {

class CheckForCycle final : public MiddleReplacementPattern {
 public:
  Names run_after() const override { return {"PartialInfer", "TensorIteratorMerge"}; }
  Names run_before() const override { return {"PreMiddleStart"}; }

  void find_and_replace_pattern(Graph& graph) override { graph.topological_order(); }
};

}  // namespace
MO_DEFINE_TRANSFORM(CheckForCycle)
}  // namespace mo

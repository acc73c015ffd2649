// Before: y = If(c) {then: [N, 2], else: [N, 2, 1]}
// After:  the same, and a warning
// Conditions: y is read, and MoveIntoBranches has not helped.

#include "core/decompose/control/branches.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class UnknownRankOfBranches final : public Transform {
 public:
  Names run_after() const override { return {"MiddleStart"}; }
  Names run_before() const override { return {"MiddleFinish"}; }
  bool graph_condition(Graph& graph) const override { return graph.model().has_bodies; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes("If"))
      for (int i = 0; i < node->out_count(); ++i) {
        const OutPort port(node, i);
        if (port.disconnected() || !if_of_two_ranks(port)) continue;
        graph.model().diagnostics.warn(Code::RanksOfBranchesDiffer, msg("output ", i), node->place());
        break;
      }
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(UnknownRankOfBranches)
}  // namespace mo

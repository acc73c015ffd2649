// Infers shapes, types and values of the whole model in topological order. Nodes with a Decomposition are replaced on
// the way, when everything that can be known about their inputs is known.

#include "core/ops/op_def.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class PartialInfer final : public Transform {
 public:
  Names run_after() const override { return {"FrontFinish"}; }
  Names run_before() const override { return {"MiddleStart"}; }
  std::optional<Phase> begins() const override { return Phase::Infer; }
  bool run_not_recursively() const override { return true; }  // owners infer their bodies
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override { infer_graph(graph, graph.model().diagnostics); }
};

}  // namespace
MO_DEFINE_TRANSFORM(PartialInfer)
}  // namespace mo

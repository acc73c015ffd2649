// Before: x -> Identity, or a Concat of x alone -> y
// After:  x = y, with the tensor names of both
// Conditions: none.

#include "core/rewrite/transform.h"

namespace mo {
namespace {

class RemoveIdentity final : public Transform {
 public:
  Names run_after() const override { return {"PreMiddleStart"}; }
  Names run_before() const override { return {"MiddleStart"}; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes_of({"Identity", "Concat"})) {
      const OutPort source = node->source(0);
      if (!source || node->in_count() != 1) continue;
      node->out(0).connection().set_source(source, TensorNames::Merge);
      graph.remove(*node);
    }
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(RemoveIdentity)
}  // namespace mo

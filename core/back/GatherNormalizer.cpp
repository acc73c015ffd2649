// Before: Gather(data, indices) {axis}
// After:  Gather(data, indices, axis)
// Conditions: the third input is missing or not connected.

#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class GatherNormalizer final : public BackReplacementPattern {
 public:
  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes("Gather")) {
      if (!node->has("axis") || node->has_in(2)) continue;
      node->add_in_ports(3);
      node->in(2).connect(graph.constant(make_i64_scalar(node->get_int("axis")), node->name() + "/axis"));
      node->attributes.erase("axis");
    }
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(GatherNormalizer)
}  // namespace mo

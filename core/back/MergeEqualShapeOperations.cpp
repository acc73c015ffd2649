// Before: several equal operations on shapes: ShapeOf of one tensor, and what is computed from it
// After:  one of them, with the consumers and tensor names of all
// Conditions: those of core/back/equal_operations.h. Rewrites that count the readers of a shape come afterwards.

#include <algorithm>

#include "core/back/equal_operations.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class MergeEqualShapeOperations final : public BackReplacementPattern {
 public:
  Names run_after() const override { return {"BackStart", "SimplifyReshapePatterns"}; }
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    const std::vector<Node*> nodes = graph.nodes();
    if (std::none_of(nodes.begin(), nodes.end(), [](const Node* node) { return is_about_shapes(*node); })) return;
    EqualOperations equal;
    for (Node* node : graph.topological_order())
      if (is_about_shapes(*node)) equal.merge(*node);
  }

 private:
  static bool is_about_shapes(const Node& node) {
    if (node.out_count() != 1 || node.in_count() == 0) return false;
    return node.op() == "ShapeOf" || OutPort(const_cast<Node*>(&node), 0).tensor().from_shape;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(MergeEqualShapeOperations)
}  // namespace mo

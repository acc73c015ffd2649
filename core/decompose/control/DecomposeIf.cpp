// Before: Y = If(known condition, captured) {then_graph, else_graph}
// After:  the nodes of the branch that is taken
// Conditions: the condition is known, from a constant or from known dimensions.

#include "core/decompose/control/inline_body.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeIf final : public Decomposition {
 public:
  Names ops() const override { return {"If"}; }
  bool applies(const Node& node) const override { return condition(node).has_value(); }
  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    return inline_branch(b, node, *condition(node) ? "then_graph" : "else_graph");
  }

 private:
  static std::optional<bool> condition(const Node& node) {
    const OutPort source = node.source(0);
    if (!source || !source.tensor().ints) return std::nullopt;
    const IntTensor& known = *source.tensor().ints;
    if (known.elements.size() != 1 || !known.is_exact()) return std::nullopt;
    return known.elements[0].min != 0;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeIf)
}  // namespace mo

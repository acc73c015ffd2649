// Before: Reshape(x, pattern), where the result has the shape of x
// After:  x
// Conditions: this holds for any value of dynamic dimensions: each element of a constant pattern is 0, -1, or the
// dimension; or the pattern is the shape of x, or of a tensor that provably has the same.

#include "core/ops/dimension_origins.h"
#include "core/rewrite/middle_replacement.h"

namespace mo {
namespace {

class RemoveRedundantReshapes final : public MiddleReplacementPattern {
 public:
  Names run_after() const override { return {"FuseReshapesSequence"}; }
  Names run_before() const override { return {"PostMiddleStart"}; }
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    DimensionOrigins origins;
    for (Node* node : graph.nodes("Reshape")) {
      const OutPort x = node->source(0), pattern = node->source(1);
      if (!x || !pattern || !(is_shape_of(pattern, x, origins) || keeps_shape(*node, x, pattern))) continue;
      node->out(0).connection().set_source(x, TensorNames::Merge);
      graph.remove(*node);
    }
  }

 private:
  static bool is_shape_of(OutPort pattern, OutPort x, DimensionOrigins& origins) {
    while (pattern && pattern.node().op() == "Cast") pattern = pattern.node().source(0);
    if (!pattern || pattern.node().op() != "ShapeOf") return false;
    const OutPort other = pattern.node().source(0);
    if (other == x) return true;
    const PartialShape &shape = x.tensor().shape, &wanted = other.tensor().shape;
    if (!shape.has_rank() || shape.rank() != wanted.rank()) return false;
    for (size_t i = 0; i < shape.dimensions().size(); ++i)
      if (!(shape[i].is_exact() && shape[i] == wanted[i]) && !(origins.of({x, i}) == origins.of({other, i}))) return false;
    return true;
  }

  static bool keeps_shape(const Node& node, OutPort x, OutPort pattern) {
    const auto& known = pattern.tensor().ints;
    const PartialShape& shape = x.tensor().shape;
    if (!known || !known->is_exact() || pattern.tensor().from_shape || !shape.has_rank()) return false;
    if (known->elements.size() != shape.dimensions().size()) return false;
    const bool copies = node.get_bool("special_zero", true);
    for (size_t i = 0; i < known->elements.size(); ++i) {
      const Interval e = known->elements[i];
      if (!(e == Interval(-1)) && !(copies && e == Interval(0)) && !(shape[i] == e)) return false;
    }
    return true;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(RemoveRedundantReshapes)
}  // namespace mo

// Before: f(x, Broadcast(c, ShapeOf(x))), f: arithmetic, a comparison, Maximum or Minimum
// After:  f(x, c)
// Conditions: c has one element, and no more dimensions than x. Exporters write torch.full_like, zeros_like and
// ones_like so.

#include "core/base/text.h"
#include "core/ops/dimension_origins.h"
#include "core/rewrite/middle_replacement.h"

namespace mo {
namespace {

class OperandOfOtherShape final : public MiddleReplacementPattern {
 public:
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    DimensionOrigins origins;
    for (Node* broadcast : graph.nodes("Broadcast")) {
      const OutPort c = broadcast->source(0), shape = broadcast->source(1);
      if (!c || !shape || shape.node().op() != "ShapeOf" || !shape.node().has_in(0) || broadcast->in_count() > 2)
        continue;
      const PartialShape& small = c.tensor().shape;
      if (!small.has_rank() || !small.is_static() || small.elements().min != 1) continue;
      for (const InPort& use : broadcast->out(0).destinations()) {
        const OutPort x = is_elementwise(use.node()) ? use.node().source(1 - use.index()) : OutPort();
        if (x && small.rank() <= x.tensor().shape.rank() && has_shape_of(x, shape.node().source(0), origins))
          use.connect(c);
      }
    }
  }

 private:
  static bool is_elementwise(const Node& node) {
    static constexpr std::string_view kOps[] = {"Add",         "Sub",      "Mul",      "Div",     "Maximum",
                                                "Minimum",     "Pow",      "FloorMod", "Mod",     "SquaredDifference",
                                                "Equal",       "NotEqual", "Less",     "Greater", "LessEqual",
                                                "GreaterEqual"};
    return node.in_count() == 2 && is_one_of(node.op(), kOps) && node.get_string("auto_broadcast", "numpy") == "numpy";
  }

  static bool has_shape_of(OutPort x, OutPort other, DimensionOrigins& origins) {
    if (x == other) return true;
    const PartialShape &shape = x.tensor().shape, &wanted = other.tensor().shape;
    if (!shape.has_rank() || shape.rank() != wanted.rank()) return false;
    for (size_t i = 0; i < shape.dimensions().size(); ++i)
      if (!(origins.of({x, i}) == origins.of({other, i}))) return false;
    return true;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(OperandOfOtherShape)
}  // namespace mo

// Before: z = Add(y, other), where y = GroupNormalization(x, scale, bias)
// After:  z = Add(Reshape(MVN(Reshape(x, [0, groups, -1])), ShapeOf(x)) * scale + bias, other)
// Conditions: the same for other element-wise operations of two tensors; the sizes of x are known. A runtime that
// computes in f32 joins the three operations where `other` is element-wise, too, and ends.

#include <algorithm>

#include "core/back/constant_operands.h"
#include "core/decompose/normalization/normalization.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class GroupsThenElementwise final : public BackReplacementPattern {
 public:
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes("GroupNormalization"))
      if (node->source(0) && node->source(0).tensor().shape.is_static() && is_joined(*node)) spell_out(graph, *node);
  }

 private:
  static bool is_joined(Node& node) {
    const std::vector<InPort> readers = node.out(0).destinations();
    return std::any_of(readers.begin(), readers.end(), joins_tensors);
  }

  static void spell_out(Graph& graph, Node& node) {
    const OutPort x = node.source(0);
    const Shape shape = x.tensor().shape.to_shape();
    if (shape.size() < 2 || element_count(shape) == 0) return;
    Builder b(node);
    const OutPort groups = b.reshape(x, {0, node.get_int("num_groups"), -1}, true);
    const OutPort unit = normalized(b, groups, b.i64({2}), node.get_float("epsilon"));
    const OutPort whole = b.op("Reshape", {unit, b.shape_of(x)}, {{"special_zero", false}});
    Ints of_channels(shape.size() - 1, 1);
    of_channels[0] = shape[1];
    const OutPort scaled = b.op("Mul", {whole, b.reshape(node.source(1), of_channels, false)});
    graph.replace(node, b.op("Add", {scaled, b.reshape(node.source(2), of_channels, false)}).node());
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(GroupsThenElementwise)
}  // namespace mo

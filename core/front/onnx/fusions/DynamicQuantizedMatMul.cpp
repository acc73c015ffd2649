// Before: q, scale, zero_point = DynamicQuantizeLinear(x); Cast(MatMulInteger(q, W, zero_point [, W_zero_point])) *
//         (scale * W_scale)
// After:  DynamicQuantizeMatMul(x, W, W_scale [, W_zero_point]) of com.microsoft: a product of x with narrow weights;
//         runtimes then choose how to quantise x
// Conditions: W is a constant; the Cast is to f32; the product has no other consumer before the Mul; operands of
// products may have any order.

#include "core/front/common/operands.h"
#include "core/rewrite/front_replacement.h"

namespace mo {
namespace {

class DynamicQuantizedMatMul final : public FrontReplacementPattern {
 public:
  void find_and_replace_pattern(Graph& graph) override {
    for (Node* product : graph.nodes("MatMulInteger")) {
      const OutPort q = product->source(0), weights = product->source(1);
      if (!q || !weights || weights.node().op() != "Const" || q.node().op() != "DynamicQuantizeLinear") continue;
      Node& quantised = q.node();
      if (q.index() != 0 || !(product->source(2) == OutPort(&quantised, 2)) || !quantised.source(0)) continue;
      Node *cast = only_user(*product, "CastONNX"), *scaled = cast ? only_user(*cast, "Mul") : nullptr;
      if (!scaled || cast->get_type("dst_type") != ElementType::F32 || scaled->in_count() != 2) continue;
      const OutPort scale = factor_beside(*scaled, OutPort(*cast));
      const OutPort own = scale && scale.node().op() == "Mul" && scale.node().in_count() == 2
                              ? factor_beside(scale.node(), OutPort(&quantised, 1))
                              : OutPort();
      if (!own) continue;
      take_place_of(*scaled,
                    add_fused(graph, "DynamicQuantizeMatMul", {quantised.source(0), weights, own, product->source(3)}));
    }
  }

 private:
  static Node* only_user(Node& node, std::string_view op) {
    const std::vector<InPort> users = OutPort(node).destinations();
    return users.size() == 1 && users[0].node().op() == op ? &users[0].node() : nullptr;
  }
  /// The other factor if the node is a product of two, one of them `one`; otherwise empty.
  static OutPort factor_beside(Node& product, OutPort one) {
    for (int i = 0; i < 2; ++i)
      if (product.source(i) == one) return product.source(1 - i);
    return {};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DynamicQuantizedMatMul)
}  // namespace mo

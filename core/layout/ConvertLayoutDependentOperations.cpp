// Before: x -> spatial operation -> y, with axes in an order that the change to NCHW does not handle
// After:  x -> Transpose -> the operation in NCHW -> Transpose -> y
// Conditions: in a model of NHWC, operations in NHWC with known ranks are not touched: the layout phase handles them.
//             With --disable_nhwc_to_nchw all are changed here, and the layout phase finds nothing.

#include "core/layout/layout_pass.h"

namespace mo {
namespace {

class ConvertLayoutDependentOperations final : public Transform {
 public:
  Names run_after() const override { return {"PostMiddleStart"}; }
  Names run_before() const override { return {"MarkSubGraphsWithCorrectLayout"}; }

  void find_and_replace_pattern(Graph& graph) override {
    if (graph.model().disable_nhwc_to_nchw) graph.model().layout = DataLayout::Nchw;
    Layouts layouts(graph);
    for (Node* node : graph.nodes()) {
      const auto order = spatial_order(*node);
      if (!order || order->is_identity()) continue;
      const bool changes = graph.model().layout == DataLayout::Nhwc && layouts.standing(*node) == Standing::Nchw;
      if (!changes || !has_ranks(*node, static_cast<int>(order->rank()))) put_between(*node, *order);
    }
  }

 private:
  /// Whether the first input and all outputs have the operation's rank.
  static bool has_ranks(Node& node, int rank) {
    for (int i = 0; i < node.out_count(); ++i)
      if (node.out(i).tensor().shape.rank() != rank) return false;
    return node.source(0) && node.source(0).tensor().shape.rank() == rank;
  }

  static bool is_data(const Tensor& tensor, const Permutation& order) {
    return !tensor.shape.has_rank() || tensor.shape.dimensions().size() == order.rank();
  }

  static void put_between(Node& node, const Permutation& order) {
    Builder b(node);
    const LayoutRules& rules = node.definition()->layout.rules;
    for (int i = 0; i < node.in_count(); ++i) {
      const OutPort source = node.source(i);
      if (!source || !is_data_input(rules, i) || !is_data(source.tensor(), order)) continue;
      const OutPort turn = b.transpose(source, order.perm);
      name_it(turn.node(), node, "input_transpose");
      node.in(i).connect(turn);
    }
    permute_attributes(node, rules, order);
    permute_inputs(node, rules, order);
    node.require_shape_inference();
    for (int i = 0; i < node.out_count(); ++i) {
      const OutPort out = node.out(i);
      if (!is_data(out.tensor(), order) || out.disconnected()) continue;
      Node& turn = b.graph().add_node("Transpose");
      turn.add_in_ports(2);
      turn.add_out_ports(1);
      turn.in(1).connect(b.i64(order.inv));
      out.connection().insert_node(turn);
      name_it(turn, node, "output_transpose");
    }
  }

  static void name_it(Node& turn, const Node& of, std::string_view name) {
    turn.set_name(turn.graph().unique_name(cat(of.name(), "/", name)));
    turn.source(1).node().set_name(turn.graph().unique_name(cat(turn.name(), "/order")));
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(ConvertLayoutDependentOperations)
}  // namespace mo

// Before: i, j, f, o = Split(MatMul(Concat(x, h), weights) + bias), from which an LSTM cell with the state c is spelled
//         out as TensorFlow writes it: f is read by a sum with a constant, an activation, and a product with c
// After:  i, j, f, o = VariadicSplit of the same
// Conditions: h or c is a constant and the batch of x is open; or c is not known to have the dimensions of f. A runtime
// joins what is behind a Split to an LSTMCell, which it then does not compile, or computes wrongly.

#include "core/back/constant_operands.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class GatesOfOpenBatch final : public BackReplacementPattern {
 public:
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes("Split")) {
      if (node->out_count() != kGates || !node->source(0)) continue;
      const PartialShape& gates = node->source(0).tensor().shape;
      const OutPort state = state_of(*node);
      if (state && gates.rank() == 2 && gates[1].is_exact() && !is_joined_rightly(*node, gates, state))
        split(graph, *node);
    }
  }

 private:
  static constexpr int kGates = 4, kForget = 2;

  /// What the forget gate is multiplied with, or an empty port.
  static OutPort state_of(Node& split) {
    const InPort sum = only_reader(split.out(kForget));
    if (!sum || sum.node().op() != "Add" || !is_constant(sum.node().source(1 - sum.index()))) return {};
    const InPort activation = only_reader(sum.node().out(0));
    if (!activation || activation.node().in_count() != 1) return {};
    const InPort product = only_reader(activation.node().out(0));
    return product && product.node().op() == "Mul" ? product.node().source(1 - product.index()) : OutPort();
  }

  static bool is_joined_rightly(const Node& split, const PartialShape& gates, OutPort state) {
    if (state.tensor().shape.rank() != 2 || !(state.tensor().shape[0] == gates[0])) return false;
    const Node* joined = joined_inputs(split);
    if (!joined) return true;
    const PartialShape& x = joined->source(0).tensor().shape;
    if (x.has_rank() && x.rank() > 0 && x[0].is_exact()) return true;
    return !is_constant(joined->source(1)) && !is_constant(state);
  }

  /// The Concat of x and h; null if there is none.
  static const Node* joined_inputs(const Node& split) {
    const Node& sum = split.source(0).node();
    if (sum.op() != "Add") return nullptr;
    for (int i = 0; i < 2; ++i) {
      const OutPort product = sum.source(i);
      const OutPort x = product && product.node().op() == "MatMul" ? product.node().source(0) : OutPort();
      if (x && x.node().op() == "Concat" && x.node().in_count() == 2) return &x.node();
    }
    return nullptr;
  }

  static void split(Graph& graph, Node& node) {
    Builder b(node);
    const int64_t width = node.out(0).tensor().shape[1].min;
    Node& made =
        b.node("VariadicSplit", {node.source(0), node.source(1), b.i64({width, width, width, width})}, {}, kGates);
    for (int i = 1; i < kGates; ++i) node.out(i).connection().set_source(made.out(i), TensorNames::Merge);
    graph.replace(node, made);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(GatesOfOpenBatch)
}  // namespace mo

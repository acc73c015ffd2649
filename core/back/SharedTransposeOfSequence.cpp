// Before: Transpose(x, 1 0 2) -> RNNSequence | GRUSequence | LSTMSequence -> Transpose(y, 2 1 0 3); something else reads
//         this Transpose, or one like it
// After:  the last Transpose becomes Squeeze(y, 1) -> Transpose(1 0 2) -> Unsqueeze(1)
// Conditions: one direction. The CPU plugin takes both Transposes into the sequence, and with them the data of the other
// readers (docs/runtime.md).

#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

bool is_transpose(const Node& node, const Ints& order) {
  return node.op() == "Transpose" && node.source(1).exact_ints() == order;
}

class SharedTransposeOfSequence final : public BackReplacementPattern {
 public:
  Names run_after() const override { return {"LengthsOfOpenSequence"}; }
  Names run_before() const override { return {"CompressFloatConstants", "BackFinish"}; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes_of({"RNNSequence", "GRUSequence", "LSTMSequence"})) {
      const OutPort x = node->source(0);
      if (node->get_string("direction") == "bidirectional" || !is_transpose(x.node(), {1, 0, 2})) continue;
      if (readers_of_transposed(x.node().source(0)) < 2) continue;
      for (const InPort& reader : node->out(0).destinations())
        if (reader.index() == 0 && is_transpose(reader.node(), {2, 1, 0, 3})) replace(graph, reader.node());
    }
  }

 private:
  /// How many nodes read the data of such Transposes of x: a runtime makes equal ones one.
  static int readers_of_transposed(OutPort x) {
    int readers = 0;
    for (const InPort& reader : x.destinations())
      if (reader.index() == 0 && is_transpose(reader.node(), {1, 0, 2}))
        for (const InPort& last : reader.node().out(0).destinations()) readers += last.node().op() != "ShapeOf";
    return readers;
  }

  static void replace(Graph& graph, Node& transpose) {
    Builder b(transpose);
    const OutPort y = b.squeeze(transpose.source(0), {1});
    graph.replace(transpose, b.unsqueeze(b.transpose(y, {1, 0, 2}), {1}).node());
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(SharedTransposeOfSequence)
}  // namespace mo

// Before: Transpose(x, 1 0 2) -> RNNSequence | GRUSequence | LSTMSequence -> Transpose(y, 2 1 0 3); something else
//         reads this Transpose, or one like it
// After:  the last Transpose becomes Squeeze(y, 1) -> Transpose(1 0 2) -> Unsqueeze(1)
// Conditions: one direction. The CPU plugin takes both Transposes into the sequence, and with them the data of the
// other readers (docs/runtime.md).

#include <map>

#include "core/base/text.h"
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
    const std::vector<Node*> sequences = graph.nodes_of({"RNNSequence", "GRUSequence", "LSTMSequence"});
    if (sequences.empty()) return;
    // A runtime makes equal Transposes one, also those of equal tensors.
    std::map<std::string, int> readers;
    for (Node* transpose : graph.nodes("Transpose"))
      if (is_transpose(*transpose, {1, 0, 2}))
        for (const InPort& reader : transpose->out(0).destinations())
          readers[origin_of(transpose->source(0))] += reader.node().op() != "ShapeOf";
    for (Node* node : sequences) {
      const OutPort x = node->source(0);
      if (node->get_string("direction") == "bidirectional" || !is_transpose(x.node(), {1, 0, 2})) continue;
      if (readers[origin_of(x.node().source(0))] < 2) continue;
      for (const InPort& reader : node->out(0).destinations())
        if (reader.index() == 0 && is_transpose(reader.node(), {2, 1, 0, 3})) replace(graph, reader.node());
    }
  }

 private:
  /// A text that is the same for tensors that a few equal operations compute from one tensor.
  static std::string origin_of(OutPort port) {
    std::string text;
    for (int i = 0; port && i < 8; ++i) {
      const Node& node = port.node();
      if (!node.has_in(0)) break;
      text += cat(node.op(), ":", port.index(), " ");
      port = node.source(0);
    }
    return port ? cat(text, port.node().id(), ":", port.index()) : text;
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

// Before: NonMaxSuppression(boxes [?, ?, ?], scores)
// After:  NonMaxSuppression(Reshape(boxes, [0, 0, 4]) {special_zero: true}, scores)
// Conditions: the definition of the operation fixes the dimension, it is not known, and runtimes compile the operation
// only if it is. Mostly inputs of the model have it already: see core/ops/fixed_dimensions.h. The batch of a recurrent
// sequence is stated, too, where its states or lengths have it: runtimes lose it otherwise, and then do not compile
// what follows with a constant state.

#include "core/ops/fixed_dimensions.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class StateDimensions final : public BackReplacementPattern {
 public:
  void find_and_replace_pattern(Graph& graph) override {
    for (const std::string_view op : kFixedForRuntimes)
      for (Node* node : graph.nodes(op))
        for (const OpenDimension& open : open_dimensions(*node)) state(*node, open);
    for (Node* node : graph.nodes_of({"LSTMSequence", "GRUSequence", "RNNSequence"}))
      for (const OpenDimension& open : open_dimensions(*node))
        if (open.input == 0 && open.axis == 0) state(*node, open);
  }

 private:
  static void state(Node& node, const OpenDimension& open) {
    const OutPort source = node.source(open.input);
    Ints pattern(source.tensor().shape.dimensions().size(), 0);
    if (open.size < 1) return;
    pattern[open.axis] = open.size;
    Builder b(node);
    node.in(open.input).connect(b.reshape(source, pattern));
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(StateDimensions)
}  // namespace mo

// Before: NonMaxSuppression(boxes [?, ?, ?], scores)
// After:  NonMaxSuppression(Reshape(boxes, [0, 0, 4]) {special_zero: true}, scores)
// Conditions: the definition of the operation fixes the dimension, it is not known, and runtimes compile the operation
// only if it is. Mostly inputs of the model have it already: see core/ops/fixed_dimensions.h.

#include "core/ops/fixed_dimensions.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class StateDimensions final : public BackReplacementPattern {
 public:
  void find_and_replace_pattern(Graph& graph) override {
    for (const char* op : {"NonMaxSuppression", "MatrixNms", "MulticlassNms", "ROIAlign", "ROIAlignRotated",
                           "ROIPooling", "PSROIPooling"})
      for (Node* node : graph.nodes(op))
        for (const OpenDimension& open : open_dimensions(*node)) state(*node, open);
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

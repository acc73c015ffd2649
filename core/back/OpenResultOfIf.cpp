// Before: z = Convolution(y, W), or any other operation, where y is an output of an If
// After:  z = Convolution(Broadcast(y, ShapeOf(y)), W)
// Conditions: y has an open size. A runtime reads y before it is written in the first inference: where a convolution,
// a pool, a normalisation or a recurrent layer of open sizes is anywhere in the model.

#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class OpenResultOfIf final : public BackReplacementPattern {
 public:
  Names run_after() const override { return {"ReshapeOfReduced"}; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes("If"))
      for (int i = 0; i < node->out_count(); ++i) {
        if (!node->has_out_port(i)) continue;
        const OutPort y = node->out(i);
        const PartialShape& shape = y.tensor().shape;
        if (!shape.has_rank() || shape.rank() == 0 || shape.is_static()) continue;
        OutPort written;
        for (const InPort& reader : y.destinations()) {
          if (reader.node().op() == "Result" || reader.node().op() == "ShapeOf") continue;
          if (!written) written = written_again(y);
          reader.connect(written);
        }
      }
  }

 private:
  static OutPort written_again(OutPort y) {
    Builder b(y.node());
    return b.op("Broadcast", {y, b.shape_of(y)}, {{"mode", "numpy"}});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(OpenResultOfIf)
}  // namespace mo

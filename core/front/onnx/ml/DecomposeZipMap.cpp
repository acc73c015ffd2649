// Before: y = ZipMap(scores) {classlabels_…}                                    ai.onnx.ml: a map for each row
// After:  y = scores, and a warning that says so
// Conditions: none. IR has no maps: column i of the scores belongs to the i-th label.

#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeZipMap final : public Decomposition {
 public:
  Names ops() const override { return {"ZipMap"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    require_input(node, 0);
    b.graph().model().diagnostics.warn(Code::MapBecomesTensor, "column i belongs to the i-th label", node.place());
    return {b.op("Identity", {node.source(0)})};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeZipMap)
}  // namespace mo

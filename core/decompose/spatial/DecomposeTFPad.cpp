// Before: y = TFPad(x, paddings [rank, 2], value) {mode}
// After:  y = Pad(x, column 0 of paddings, column 1, value) {mode}
// Conditions: none.

#include "core/decompose/spatial/padding.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeTFPad final : public Decomposition {
 public:
  Names ops() const override { return {"TFPad"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0), pads = b.convert(node.source(1), ElementType::I64);
    const OutPort begin = b.gather(pads, b.i64_scalar(0), 1);
    const OutPort end = b.gather(pads, b.i64_scalar(1), 1);
    if (node.has_in(2)) return {padded_with(b, x, begin, end, node.source(2))};
    return {b.op("Pad", {x, begin, end}, {{"mode", node.get_string("mode")}})};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeTFPad)
}  // namespace mo

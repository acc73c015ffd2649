// Before: y = TFOneHot(indices, depth, on, off) {axis}
// After:  y = OneHot(indices, depth, on, off) {axis}
//         on or off known at run time only, which the runtime does not take: Select(OneHot of booleans, on, off)
// Conditions: none.

#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeTFOneHot final : public Decomposition {
 public:
  Names ops() const override { return {"TFOneHot"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    // The runtime takes no indices of 8 bits.
    const OutPort indices = b.convert(node.source(0), ElementType::I64), depth = node.source(1);
    OutPort on = node.source(2), off = node.source(3);
    const bool known = on.tensor().value && off.tensor().value;
    if (!known) {
      on = b.constant(make_scalar(ElementType::Bool, 1));
      off = b.constant(make_scalar(ElementType::Bool, 0));
    }
    const OutPort y = b.op("OneHot", {indices, depth, on, off}, {{"axis", node.get_int("axis")}});
    return {known ? y : b.op("Select", {y, node.source(2), node.source(3)})};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeTFOneHot)
}  // namespace mo

// Before: y = SteppedSlice(x, start, stop, axes, step)
// After:  y = Slice(x, start, stop, step, axes), with the ends of negative steps as IR counts them
// Conditions: the axes are known.

#include "core/decompose/control/stepped.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeSteppedSlice final : public Decomposition {
 public:
  Names ops() const override { return {"SteppedSlice"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const auto axes = node.source(3).tensor().exact_ints();
    if (!axes) throw Error(Code::UnsupportedForm, "axes that are not known");
    const OutPort x = node.source(0), steps = node.source(4);
    const OutPort stop = stepped_ends(b, node, x, node.source(2), steps, *axes);
    return {b.op("Slice", {x, node.source(1), stop, steps, node.source(3)})};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeSteppedSlice)
}  // namespace mo

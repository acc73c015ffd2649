// Before: z = BroadcastComplex(real, imaginary)
// After:  z = Complex(real, imaginary), each in the shape of both
// Conditions: none. Where both shapes are known to be the same they stay as they are.

#include "core/decompose/control/nested.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeBroadcastComplex final : public Decomposition {
 public:
  Names ops() const override { return {"BroadcastComplex"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    require_input(node, 0);
    require_input(node, 1);
    const OutPort real = node.source(0), imaginary = node.source(1);
    const PartialShape &first = real.tensor().shape, &second = imaginary.tensor().shape;
    if (first.is_static() && first == second) return decomposed(b, "Complex", {real, imaginary}, {});
    const auto as_both = [&](OutPort x, OutPort other) {
      return b.op("Broadcast", {x, b.shape_of(other)}, {{"mode", "bidirectional"}});
    };
    const OutPort wide_real = as_both(real, imaginary), wide_imaginary = as_both(imaginary, real);
    return decomposed(b, "Complex", {wide_real, wide_imaginary}, {});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeBroadcastComplex)
}  // namespace mo

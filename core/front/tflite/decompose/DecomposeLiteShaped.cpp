// Before: y = LiteShaped(x, variable) {shape}: x is the next value of the variable of a loop
// After:  x if its shape is known; else Reshape(x, shape), if the variable has that shape
// Conditions: none.

#include <algorithm>

#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeLiteShaped final : public Decomposition {
 public:
  Names ops() const override { return {"LiteShaped"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0);
    const PartialShape &shape = x.tensor().shape, &before = node.source(1).tensor().shape;
    const Ints wanted = node.get_ints("shape");
    if (shape.is_static() || !before.is_static() || before.to_shape() != wanted) return {x};
    return {b.reshape(x, wanted, false)};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeLiteShaped)
}  // namespace mo

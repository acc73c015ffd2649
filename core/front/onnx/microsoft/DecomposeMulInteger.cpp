// Before: c = MulInteger(a, a_zero_point?, b, b_zero_point?), domain com.microsoft
// After:  c = (Convert(a) - Convert(a_zero_point)) * (Convert(b) - Convert(b_zero_point)) in i32: differences of 8-bit
//         integers and their products fit
// Conditions: none.

#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeMulInteger final : public Decomposition {
 public:
  Names ops() const override { return {"MulInteger"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort left = difference(b, node, 0);
    const OutPort right = difference(b, node, 2);
    return {b.op("Mul", {left, right})};
  }

 private:
  static OutPort difference(Builder& b, const Node& node, size_t at) {
    require_input(node, at);
    const OutPort x = b.convert(node.source(at), ElementType::I32);
    if (!node.has_in(at + 1)) return x;
    const OutPort zero_point = b.convert(node.source(at + 1), ElementType::I32);
    return b.op("Sub", {x, zero_point});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeMulInteger)
}  // namespace mo

// Before: y = LiteMaxUnpooling(x [batch, H, W, C], indices within an image [batch, H, W, C]) {strides}
// After:  y [batch, H * stride, W * stride, C]: each number at its index, zeros elsewhere
// Conditions: none.

#include "core/decompose/constants.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeLiteMaxUnpooling final : public Decomposition {
 public:
  Names ops() const override { return {"LiteMaxUnpooling"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0);
    const Ints strides = node.get_ints("strides");
    const OutPort batch = b.dims_of(x, {0});
    const OutPort sizes = b.op("Mul", {b.shape_of(x), b.i64({1, strides[0], strides[1], 1})});
    const OutPort flat = b.concat({batch, b.i64({-1})}, 0);
    const OutPort zeros = b.op("Broadcast", {b.scalar_like(x, 0), sizes}, {{"mode", "numpy"}});
    const auto in_rows = [&](OutPort port) { return b.op("Reshape", {port, flat}, {{"special_zero", false}}); };
    const OutPort indices = in_rows(b.convert(node.source(1), ElementType::I64));
    const OutPort y = b.op("ScatterElementsUpdate", {in_rows(zeros), indices, in_rows(x), b.i64_scalar(1)});
    return {b.op("Reshape", {y, sizes}, {{"special_zero", false}})};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeLiteMaxUnpooling)
}  // namespace mo

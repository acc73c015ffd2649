// Before: s = Shape(x) {start, end}
// After:  s = ShapeOf(x) [, Slice from start to end]
// Before: n = Size(x)
// After:  n = ReduceProd(ShapeOf(x))
// Before: y = FlattenONNX(x) {axis}
// After:  y = Reshape(x, [the product of the dimensions before the axis, the product of the others])
// Conditions: none.

#include "core/decompose/shaping.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeShape final : public Decomposition {
 public:
  Names ops() const override { return {"Shape", "Size", "FlattenONNX"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0);
    if (node.op() == "FlattenONNX") return {flattened(b, x, node.get_int("axis"))};
    const OutPort shape = b.shape_of(x);
    if (node.op() == "Size") return {b.reduce("ReduceProd", shape, {0}, false)};
    const int64_t start = node.get_int("start");
    if (start == 0 && !node.has("end")) return {shape};
    return {b.op("Slice", {shape, b.i64({start}), b.i64({node.get_int("end", INT64_MAX)}), b.i64({1}), b.i64({0})})};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeShape)
}  // namespace mo

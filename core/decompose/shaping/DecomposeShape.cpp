// Before: s = Shape(x) {start, end}
// After:  s = ShapeOf(x) [, Slice from start to end]
// Before: s0, s1, … = ShapeN(x0, x1, …)
// After:  s0, s1, … = ShapeOf(x0), ShapeOf(x1), …
// Before: n = Size(x)
// After:  n = ReduceProd(ShapeOf(x))
// Before: r = Rank(x)
// After:  r = the number if known, else Squeeze(ShapeOf(ShapeOf(x)))
// Before: y = FlattenONNX(x) {axis}
// After:  y = Reshape(x, [the product of the dimensions before the axis, the product of the others])
// Conditions: none.

#include "core/decompose/shaping/shaping.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeShape final : public Decomposition {
 public:
  Names ops() const override { return {"Shape", "ShapeN", "Size", "Rank", "FlattenONNX"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0);
    if (node.op() == "FlattenONNX") return {flattened(b, x, node.get_int("axis"))};
    const ElementType type = node.get_type("output_type", ElementType::I64);
    if (node.op() == "ShapeN") return shapes(b, node, type);
    if (node.op() == "Rank") return {rank(b, x, type)};
    const OutPort shape = b.op("ShapeOf", {x}, {{"output_type", type}});
    if (node.op() == "Size") return {b.reduce("ReduceProd", shape, {0}, false)};
    const int64_t start = node.get_int("start");
    if (start == 0 && !node.has("end")) return {shape};
    return {b.op("Slice", {shape, b.i64({start}), b.i64({node.get_int("end", INT64_MAX)}), b.i64({1}), b.i64({0})})};
  }

 private:
  static std::vector<OutPort> shapes(Builder& b, const Node& node, ElementType type) {
    std::vector<OutPort> all;
    for (int i = 0; i < node.in_count(); ++i) all.push_back(b.op("ShapeOf", {node.source(i)}, {{"output_type", type}}));
    return all;
  }

  static OutPort rank(Builder& b, OutPort x, ElementType type) {
    const int known = x.tensor().shape.rank();
    if (known >= 0) return b.constant(make_scalar(type, known));
    const OutPort shape = b.shape_of(x);
    return b.squeeze(b.op("ShapeOf", {shape}, {{"output_type", type}}), {0});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeShape)
}  // namespace mo

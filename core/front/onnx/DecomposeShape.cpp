// Before: s = Shape(x) {start, end}
// After:  s = ShapeOf(x) [, Slice from start to end]
// Before: n = Size(x)
// After:  n = ReduceProd(ShapeOf(x))
// Before: y = FlattenONNX(x) {axis}
// After:  y = Reshape(x, [the product of the dimensions before the axis, the product of the others])
// Conditions: none.

#include "core/front/onnx/extractor.h"
#include "core/pipeline/transform.h"

namespace mo {
namespace {

class DecomposeShape final : public Decomposition {
 public:
  Names ops() const override { return {"Shape", "Size", "FlattenONNX"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    onnx::require_input(node, 0);
    const OutPort x = node.source(0);
    if (node.op() == "FlattenONNX") return {flatten(b, x, node.get_int("axis", 1))};
    const OutPort shape = b.shape_of(x);
    if (node.op() == "Size") return {product(b, shape, false)};
    const int64_t start = node.get_int("start");
    if (start == 0 && !node.has("end")) return {shape};
    return {part(b, shape, start, node.get_int("end", INT64_MAX))};
  }

 private:
  static OutPort product(Builder& b, OutPort shape, bool keep_dims) {
    return b.op("ReduceProd", {shape, b.i64({0})}, {{"keep_dims", keep_dims}});
  }
  static OutPort part(Builder& b, OutPort shape, int64_t start, int64_t end) {
    return b.op("Slice", {shape, b.i64({start}), b.i64({end}), b.i64({1}), b.i64({0})});
  }

  static OutPort flatten(Builder& b, OutPort x, int64_t axis) {
    const PartialShape& shape = x.tensor().shape;
    if (axis == 0) return b.reshape(x, {1, -1}, false);
    if (axis == 1) return b.reshape(x, {0, -1});
    if (!shape.has_rank()) return flatten_by_shape(b, x, axis);
    if (axis == shape.rank()) return b.reshape(x, {-1, 1}, false);
    const auto at = static_cast<std::ptrdiff_t>(normalize_axis(axis, shape.rank()));
    const auto& all = shape.dimensions();
    const Interval rows = PartialShape(std::vector<Dimension>(all.begin(), all.begin() + at)).elements();
    const Interval columns = PartialShape(std::vector<Dimension>(all.begin() + at, all.end())).elements();
    if (rows.is_exact() && columns.is_exact()) return b.reshape(x, {rows.min, columns.min}, false);
    if (rows.is_exact() && rows.min > 0) return b.reshape(x, {rows.min, -1}, false);
    if (columns.is_exact() && columns.min > 0) return b.reshape(x, {-1, columns.min}, false);
    return flatten_by_shape(b, x, axis);
  }

  static OutPort flatten_by_shape(Builder& b, OutPort x, int64_t axis) {
    const OutPort shape = b.shape_of(x);
    const OutPort rows = product(b, part(b, shape, 0, axis), true), columns = product(b, part(b, shape, axis, INT64_MAX), true);
    return b.op("Reshape", {x, b.concat({rows, columns}, 0)}, {{"special_zero", false}});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeShape)
}  // namespace mo

// Before: grid = AffineGrid(theta [N, d, d + 1], size [d + 2]) {align_corners}
// After:  grid = MatMul(points, theta transposed): the image's points in -1…1, with a 1 appended, [d1 * d2…, d + 1]
// Conditions: the number of dimensions is known. ONNX's own definition takes four times as many operations.

#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeAffineGrid final : public Decomposition {
 public:
  Names ops() const override { return {"AffineGrid"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort theta = node.source(0), size = b.convert(node.source(1), ElementType::I64);
    const PartialShape &shape = size.tensor().shape, &matrix = theta.tensor().shape;
    const int64_t axes = shape.rank() == 1 && shape[0].is_exact()     ? shape[0].min - 2
                         : matrix.rank() == 3 && matrix[1].is_exact() ? matrix[1].min
                                                                      : -1;
    if (axes != 2 && axes != 3) throw Error(Code::UnsupportedForm, msg("a grid of ", axes, " dimensions"));
    Ints spatial;
    for (int64_t i = 0; i < axes; ++i) spatial.push_back(i + 2);
    const OutPort extent = b.gather(size, b.i64(spatial), 0);
    std::vector<OutPort> columns;  // x before y before z
    for (int64_t i = axes - 1; i >= 0; --i) {
      Ints along(static_cast<size_t>(axes), 1);
      along[static_cast<size_t>(i)] = -1;
      const OutPort line =
          b.reshape(coordinates(b, b.gather(extent, b.i64_scalar(i), 0), node.get_bool("align_corners")), along, false);
      const OutPort whole = b.op("Broadcast", {line, extent}, {{"mode", "numpy"}});
      columns.push_back(b.reshape(whole, {-1, 1}, false));
    }
    columns.push_back(b.op("Broadcast", {b.f32_scalar(1), b.shape_of(columns[0])}, {{"mode", "numpy"}}));
    OutPort points = b.concat(columns, 1);
    points = theta.tensor().type == ElementType::Unknown ? b.op("ConvertLike", {points, theta})
                                                         : b.convert(points, theta.tensor().type);
    const OutPort placed = b.matmul({points, theta}, true);
    const OutPort target = b.concat({b.gather(size, b.i64({0}), 0), extent, b.i64({axes})}, 0);
    return {b.op("Reshape", {placed, target}, {{"special_zero", false}})};
  }

 private:
  /// `count` points in -1…1: including both ends, or the centres of equal intervals.
  static OutPort coordinates(Builder& b, OutPort count, bool align) {
    const OutPort range = b.op("Range", {b.i64_scalar(0), count, b.i64_scalar(1)}, {{"output_type", ElementType::I64}});
    const OutPort i = b.convert(range, ElementType::F32), n = b.convert(count, ElementType::F32), two = b.f32_scalar(2);
    const OutPort doubled = b.op("Mul", {i, two});
    const OutPort part =
        align ? b.op("Div", {doubled, b.op("Maximum", {b.op("Sub", {n, b.f32_scalar(1)}), b.f32_scalar(1)})})
              : b.op("Div", {b.op("Add", {doubled, b.f32_scalar(1)}), n});
    return b.op("Sub", {part, b.f32_scalar(1)});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeAffineGrid)
}  // namespace mo

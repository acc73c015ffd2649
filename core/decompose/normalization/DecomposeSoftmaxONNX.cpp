// Before: y = SoftMaxONNX(x) {axis}, LogSoftmaxONNX(x) {axis}                ONNX before operator set 13
// After:  y = SoftMax(x) {axis}                                              axis is the last dimension
//         y = Reshape(SoftMax(x as [dimensions before axis, all others]) {axis: 1}, ShapeOf(x))
// Conditions: the rank is known, or axis is 0 or 1.

#include "core/decompose/math/constants.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeSoftmaxONNX final : public Decomposition {
 public:
  Names ops() const override { return {"SoftMaxONNX", "LogSoftmaxONNX"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const std::string op = node.op().substr(0, node.op().size() - 4);
    const OutPort x = node.source(0);
    const PartialShape& shape = x.tensor().shape;
    int64_t axis = node.get_int("axis");
    if (shape.has_rank()) {
      // ONNX also allows the rank itself: then every element is separate.
      axis = axis == shape.rank() ? axis : static_cast<int64_t>(normalize_axis(axis, shape.rank()));
      if (axis == shape.rank() - 1) return {b.op(op.c_str(), {x}, {{"axis", axis}})};
    }
    const OutPort flat = b.op(op.c_str(), {flattened(b, x, axis)}, {{"axis", int64_t{1}}});
    return {b.op("Reshape", {flat, b.shape_of(x)}, {{"special_zero", false}})};
  }

 private:
  static OutPort flattened(Builder& b, OutPort x, int64_t axis) {
    const PartialShape& shape = x.tensor().shape;
    if (axis == 0) return b.reshape(x, {1, -1}, false);
    if (axis == 1) return b.reshape(x, {0, -1});
    if (!shape.has_rank()) throw Error(Code::UnsupportedForm, msg("axis ", axis, " of an input of unknown rank"));
    Interval before = 1;
    Ints axes;
    for (int64_t i = 0; i < axis; ++i) {
      before = before * shape[static_cast<size_t>(i)];
      axes.push_back(i);
    }
    if (before.is_exact() && before.min > 0 && before.max < Interval::kInfinity)
      return b.reshape(x, {before.min, -1}, false);
    const OutPort rows = b.reduce("ReduceProd", b.dims_of(x, axes), {0}, true);
    return b.op("Reshape", {x, b.concat({rows, b.i64({-1})}, 0)}, {{"special_zero", false}});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeSoftmaxONNX)
}  // namespace mo

// Before: y = AttributedLRN(x) {alpha, beta, bias, size}
// After:  y = LRN(x, axes [1]) {alpha, beta, bias, size}
// For an even size, whose window IR places otherwise:
//         y = x / (bias + alpha * AvgPool(x^2 along the channels)) ^ beta
// Conditions: none.

#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeLRN final : public Decomposition {
 public:
  Names ops() const override { return {"AttributedLRN"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0);
    const int64_t size = node.get_int("size");
    if (size < 1) throw Error(Code::BadAttribute, cat("size is ", size));
    const double alpha = node.get_float("alpha"), beta = node.get_float("beta"), bias = node.get_float("bias");
    if (size % 2 == 1)
      return {b.op("LRN", {x, b.i64({1})}, {{"alpha", alpha}, {"beta", beta}, {"bias", bias}, {"size", size}})};
    const OutPort planes = b.op(
        "Reshape", {b.op("Mul", {x, x}), b.concat({b.dims_of(x, {0}), b.i64({1}), b.dims_of(x, {1}), b.i64({-1})}, 0)},
        {{"special_zero", false}});
    const OutPort mean = b.op("AvgPool", {planes},
                              {{"kernel", Ints{size, 1}},
                               {"strides", Ints{1, 1}},
                               {"pads_begin", Ints{(size - 1) / 2, 0}},
                               {"pads_end", Ints{size / 2, 0}},
                               {"auto_pad", "explicit"},
                               {"exclude_pad", false}});
    const OutPort squares = b.op("Reshape", {mean, b.shape_of(x)}, {{"special_zero", false}});
    const OutPort base = b.op("Add", {b.op("Mul", {squares, b.scalar_like(x, alpha)}), b.scalar_like(x, bias)});
    return {b.op("Div", {x, b.op("Pow", {base, b.scalar_like(x, beta)})})};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeLRN)
}  // namespace mo

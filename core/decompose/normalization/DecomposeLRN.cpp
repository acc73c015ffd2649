// Before: y = AttributedLRN(x) {alpha, beta, bias, size}
// After:  y = LRN(x, channel axis) {alpha, beta, bias, size}
// For an even size, where IR's window is at another position:
//         y = x / (bias + alpha * AvgPool(x^2 along the channels)) ^ beta
// Conditions: for an even size, the channels are axis 1 or the last one.

#include "core/ops/spatial.h"
#include "core/ops/window.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeLRN final : public Decomposition {
 public:
  Names ops() const override { return {"AttributedLRN"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0);
    const int64_t channel = channel_axis(node, x.tensor().shape);
    const int64_t size = node.get_int("size");
    if (size < 1) throw Error(Code::BadAttribute, msg("size is ", size));
    const double alpha = node.get_float("alpha"), beta = node.get_float("beta"), bias = node.get_float("bias");
    if (size % 2 == 1) {
      Attributes attributes{{"alpha", alpha}, {"beta", beta}, {"bias", bias}, {"size", size}};
      copy_spatial_dims(node, attributes);
      return {b.op("LRN", {x, b.i64({channel})}, attributes)};
    }
    SpatialWindow window(2);
    window.pads_begin[0] = (size - 1) / 2;
    window.pads_end[0] = size / 2;
    Attributes attributes = window.attributes();
    attributes.set("kernel", Ints{size, 1});
    attributes.set("exclude_pad", false);
    const OutPort mean = b.op("AvgPool", {planes(b, x, channel)}, attributes);
    const OutPort squares = b.op("Reshape", {mean, b.shape_of(x)}, {{"special_zero", false}});
    const OutPort base = b.op("Add", {b.op("Mul", {squares, b.scalar_like(x, alpha)}), b.scalar_like(x, bias)});
    return {b.op("Div", {x, b.op("Pow", {base, b.scalar_like(x, beta)})})};
  }

 private:
  /// x^2 as [samples, 1, C, the rest], for an AvgPool of NCHW data.
  static OutPort planes(Builder& b, OutPort x, int64_t channel) {
    const OutPort square = b.op("Mul", {x, x});
    OutPort shape;
    if (channel == 1)
      shape = b.concat({b.dims_of(x, {0}), b.i64({1}), b.dims_of(x, {1}), b.i64({-1})}, 0);
    else if (channel == -1 || channel + 1 == x.tensor().shape.rank())
      shape = b.concat({b.i64({-1, 1}), b.dims_of(x, {channel}), b.i64({1})}, 0);
    else
      throw Error(Code::UnsupportedForm, msg("an even size along axis ", channel));
    return b.op("Reshape", {square, shape}, {{"special_zero", false}});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeLRN)
}  // namespace mo

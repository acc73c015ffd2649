// Before: y, present = CausalConvWithState(x [N, C, L], W [C, 1, k], bias, past [N, C, k - 1]) {activation}
// After:  whole = Concat(past, x), or without a past x with k - 1 zeros before it
//         y = activation(GroupConvolution(whole, W) [+ bias]); present = the last k - 1 elements of whole
// Conditions: the number of channels and the kernel's size are known.

#include "core/decompose/spatial/convolution.h"
#include "core/ops/window.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeCausalConvWithState final : public Decomposition {
 public:
  Names ops() const override { return {"CausalConvWithState"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0), weights = node.source(1);
    const PartialShape& shape = weights.tensor().shape;
    if (shape.rank() != 3 || !shape[0].is_exact() || !shape[2].is_exact() || shape[0].min < 1 || shape[2].min < 1)
      throw Error(Code::UnsupportedForm, msg("weights [", to_string(shape), "]"));
    const int64_t before = shape[2].min - 1;
    OutPort whole = x;
    if (node.has_in(3))
      whole = b.concat({node.source(3), x}, 2);
    else if (before > 0)
      whole = b.op("Pad", {x, b.i64({0, 0, before}), b.i64({0, 0, 0}), b.scalar_like(x, 0)}, {{"mode", "constant"}});
    OutPort y =
        b.op("GroupConvolution", {whole, grouped_weights(b, weights, shape[0].min)}, SpatialWindow(1).attributes());
    if (node.has_in(2)) y = add_bias(b, y, node.source(2), {0, 1, {2}});
    const std::string activation = node.get_string("activation", "none");
    if (activation == "silu" || activation == "swish")
      y = b.op("Swish", {y});
    else if (activation != "none")
      throw Error(Code::BadAttribute, msg("activation is '", activation, "'"));
    if (node.out_count() < 2) return {y};
    const OutPort length = b.dims_of(whole, {2});
    const OutPort present =
        b.op("Slice", {whole, b.op("Sub", {length, b.i64({before})}), length, b.i64({1}), b.i64({2})});
    return {y, present};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeCausalConvWithState)
}  // namespace mo

// Before: y = LiteMaxUnpooling(x [batch, H, W, C], places within their windows [batch, H, W, C]) {window [h, w]}
// After:  y [batch, H * h, W * w, C]: each number at its place in its window, zeros elsewhere
// Conditions: none.

#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeLiteMaxUnpooling final : public Decomposition {
 public:
  Names ops() const override { return {"LiteMaxUnpooling"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0), places = b.convert(node.source(1), ElementType::I64);
    const Ints window = node.get_ints("window");
    Ints numbers(static_cast<size_t>(window[0] * window[1]));
    for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<int64_t>(i);
    // [batch, H, W, C, places]: one place has x, the others 0.
    const OutPort is_here = b.op("Equal", {b.unsqueeze(places, {-1}), b.i64(numbers)});
    const OutPort spread = b.op("Select", {is_here, b.unsqueeze(x, {-1}), b.scalar_like(x, 0)});
    const OutPort split = b.concat({b.shape_of(x), b.i64(window)}, 0);
    const OutPort apart = b.op("Reshape", {spread, split}, {{"special_zero", false}});
    const OutPort turned = b.transpose(apart, {0, 1, 4, 2, 5, 3});
    const OutPort joined = b.op("Mul", {b.shape_of(x), b.i64({1, window[0], window[1], 1})});
    return {b.op("Reshape", {turned, joined}, {{"special_zero", false}})};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeLiteMaxUnpooling)
}  // namespace mo

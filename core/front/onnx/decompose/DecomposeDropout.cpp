// Before: y, mask = Dropout(x [, ratio [, training_mode]]) {boolean_mask}
// After:  y = x, mask = true (without boolean_mask: 1) for every element
//         in training, or if that is known at run time only: mask = uniform numbers >= ratio, or not in training;
//         y = x / (1 - ratio) where mask is true, else 0
// Conditions: none. Up to operator set 11 models are never in training: is_test is ignored.

#include "core/decompose/math/constants.h"
#include "core/decompose/shaping/shaping.h"
#include "core/front/onnx/decompose/random.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeDropout final : public Decomposition {
 public:
  Names ops() const override { return {"Dropout"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0);
    const bool may_train = node.has_in(2) && known_number(b, node.source(2)) != 0.0;
    const bool keeps_all = node.has_in(1) && known_number(b, node.source(1)) == 0.0;
    if (may_train && !keeps_all) return train(b, node, x);
    if (node.out_count() < 2 || node.out(1).disconnected()) return {x, {}};
    const OutPort one =
        node.get_bool("boolean_mask") ? b.constant(make_scalar(ElementType::Bool, 1)) : b.scalar_like(x, 1);
    return {x, b.op("Broadcast", {one, b.shape_of(x)}, {{"mode", "numpy"}})};
  }

 private:
  static std::vector<OutPort> train(Builder& b, const Node& node, OutPort x) {
    const OutPort training = to_scalar(b, b.convert(node.source(2), ElementType::Bool));
    const OutPort given =
        node.has_in(1) ? to_scalar(b, b.convert(node.source(1), ElementType::F32)) : b.f32_scalar(0.5F);
    const OutPort ratio = b.op("Select", {training, given, b.f32_scalar(0)});
    const OutPort mask = b.op("GreaterEqual", {onnx::uniform_numbers(b, node, b.shape_of(x), 0, 1), ratio});
    const OutPort scale = convert_like(b, b.op("Div", {b.f32_scalar(1), b.op("Sub", {b.f32_scalar(1), ratio})}), x);
    return {b.op("Select", {mask, b.op("Mul", {x, scale}), b.scalar_like(x, 0)}), mask};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeDropout)
}  // namespace mo

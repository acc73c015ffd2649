// Before: y = dropoutmaskcomponent() {size, dropout_proportion}
// After:  y = a constant [1, size] of what a mask is on average: 1 - dropout_proportion
// Conditions: none.

#include "core/front/kaldi/decompose/lowering.h"

namespace mo {
namespace {

class ReplaceDropoutMaskPattern final : public kaldi::Lowering {
  std::string_view op() const override { return "dropoutmaskcomponent"; }

  OutPort lowered(Builder& b, Node& node) override {
    const double value = 1 - node.get_float("dropout_proportion");
    return b.constant(make_splat(ElementType::F32, {1, node.get_int("size")}, value));
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(ReplaceDropoutMaskPattern)
}  // namespace mo

// Before: y, mask = Dropout(x [, ratio [, training_mode]])
// After:  y = x, mask = true (up to operator set 9: 1) for every element
// Conditions: not in training, as far as that is known, unless the ratio is 0.

#include "core/front/onnx/constants.h"
#include "core/front/onnx/extractor.h"
#include "core/pipeline/transform.h"

namespace mo {
namespace {

class DecomposeDropout final : public Decomposition {
 public:
  Names ops() const override { return {"Dropout"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    onnx::require_input(node, 0);
    const OutPort x = node.source(0);
    if (node.has_in(2) && onnx::known_number(b, node.source(2)).value_or(0) != 0) {
      const bool keeps_all = node.has_in(1) && onnx::known_number(b, node.source(1)) == 0.0;
      if (!keeps_all) throw Error(Code::UnsupportedForm, "a Dropout in training");
    }
    if (node.out_count() < 2 || node.out(1).disconnected()) return {x, {}};
    const OutPort one = onnx::opset(node) < 10 ? b.scalar_like(x, 1) : b.constant(make_scalar(ElementType::Bool, 1));
    return {x, b.op("Broadcast", {one, b.shape_of(x)}, {{"mode", std::string("numpy")}})};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeDropout)
}  // namespace mo

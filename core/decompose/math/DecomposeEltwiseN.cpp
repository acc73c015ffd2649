// Before: y = EltwiseN(x0, x1, x2…) {operation: sum, mul, mean, max, min}
// After:  y = Add(Add(x0, x1), x2)…, Mul…, Maximum…, Minimum…; mean: divided by the number of inputs
// Conditions: none. A single input is passed on.

#include "core/decompose/math/constants.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeEltwiseN final : public Decomposition {
 public:
  Names ops() const override { return {"EltwiseN"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const std::string operation = node.get_string("operation");
    const char* op = operation == "max"   ? "Maximum"
                     : operation == "min" ? "Minimum"
                     : operation == "mul" ? "Mul"
                                          : "Add";
    OutPort y;
    int count = 0;
    for (int i = 0; i < node.in_count(); ++i) {
      const OutPort x = node.source(i);
      if (!x) continue;
      y = count++ == 0 ? x : b.op(op, {y, x});
    }
    if (operation == "mean" && count > 1) y = b.op("Div", {y, splat_like(b, y, {}, count)});
    return {y};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeEltwiseN)
}  // namespace mo

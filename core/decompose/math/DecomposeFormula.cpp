// Before: an operation that formulas.def defines by others
// After:  these others
// Conditions: none.

#include "core/decompose/math/formula.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeFormula final : public Decomposition {
 public:
  Names ops() const override {
    return {
#define TF_FORMULA(op, text) #op,
#define TF_TERM(name, text)
#include "core/decompose/math/formulas.def"
    };
  }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    std::vector<OutPort> inputs;
    for (int i = 0; i < node.in_count(); ++i) inputs.push_back(node.source(i));
    return evaluate(b, node, formula_of(node.op()), inputs);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeFormula)
}  // namespace mo

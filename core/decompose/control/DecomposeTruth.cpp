// Before: Y = Single(x) | Truth(x) {lone}
// After:  Y = x, reshaped to a scalar if its rank is above 1 or unknown | NotEqual(x, 0) | NotEqual(elements of x, 0)
// Conditions: the number of elements of a Single or of a lone x is unknown or 1; x is no text.

#include "core/decompose/control/truth.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeTruth final : public Decomposition {
 public:
  Names ops() const override { return {"Truth", "Single"}; }
  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    require_input(node, 0);
    const OutPort x = node.source(0);
    return {node.op() == "Single" ? single(b, x) : truth_of(b, x, node.get_bool("lone"))};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeTruth)
}  // namespace mo

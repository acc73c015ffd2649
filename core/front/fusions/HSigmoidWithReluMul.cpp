// Before: Minimum(ReLU(x + 3), 6) * 1/6
// After:  HSigmoid(x)
// Conditions: the numbers are constants of one element; sums and products may have either order.

#include "core/front/common/relu6.h"
#include "core/rewrite/front_replacement.h"

namespace mo {
namespace {

class HSigmoidWithReluMul final : public FrontReplacementPattern {
 public:
  Names run_after() const override {
    return {"FrontStart", "AttributedClampNormalizer", "HSwishWithClamp", "HSwishWithMinMax"};
  }

  void find_and_replace_pattern(Graph& graph) override { fuse_hsigmoid(graph, kRelu6ByRelu, "Mul"); }
};

}  // namespace
MO_DEFINE_TRANSFORM(HSigmoidWithReluMul)
}  // namespace mo

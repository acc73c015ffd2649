// Before: Minimum(Maximum(x + 3, 0), 6) / 6
// After:  HSigmoid(x)
// Conditions: the numbers are constants of one element; sums and products may have either order, and / 6 may be * 1/6.

#include "core/front/common/relu6.h"
#include "core/rewrite/front_replacement.h"

namespace mo {
namespace {

class HSigmoidWithMinMax final : public FrontReplacementPattern {
 public:
  Names run_after() const override {
    return {"FrontStart", "AttributedClampNormalizer", "HSwishWithClamp", "HSwishWithMinMax"};
  }

  void find_and_replace_pattern(Graph& graph) override { fuse_hsigmoid(graph, kRelu6ByMinMax, {}); }
};

}  // namespace
MO_DEFINE_TRANSFORM(HSigmoidWithMinMax)
}  // namespace mo

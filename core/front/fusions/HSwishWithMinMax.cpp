// Before: x * Minimum(Maximum(x + 3, 0), 6) / 6, also with ReLU for the maximum
// After:  HSwish(x)
// Conditions: the numbers are constants of one element; sums and products may have either order, and / 6 may be * 1/6.

#include "core/front/common/relu6.h"
#include "core/rewrite/front_replacement.h"

namespace mo {
namespace {

class HSwishWithMinMax final : public FrontReplacementPattern {
 public:
  Names run_after() const override { return {"FrontStart", "AttributedClampNormalizer"}; }

  void find_and_replace_pattern(Graph& graph) override {
    fuse_hswish(graph, kRelu6ByMinMax), fuse_hswish(graph, kRelu6ByRelu);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(HSwishWithMinMax)
}  // namespace mo

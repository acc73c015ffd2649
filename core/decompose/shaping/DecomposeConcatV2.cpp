// Before: y = ConcatV2(parts…, axis)
// After:  y = Concat(parts…) {axis}
// Conditions: the axis is known.

#include <algorithm>

#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeConcatV2 final : public Decomposition {
 public:
  Names ops() const override { return {"ConcatV2"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const int last = node.in_count() - 1;
    require_input(node, std::max(last, 0));
    const auto axis = node.source(last).tensor().exact_int();
    if (!axis) throw Error(Code::UnsupportedForm, "an axis that is not known");
    std::vector<OutPort> parts;
    for (int i = 0; i < last; ++i) {
      require_input(node, i);
      parts.push_back(node.source(i));
    }
    return {b.concat(parts, *axis)};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeConcatV2)
}  // namespace mo

// Before: y = Pack(x0, x1, …) {axis}
// After:  y = Concat(Unsqueeze(x0, axis), Unsqueeze(x1, axis), …) {axis}
// Conditions: none.

#include "core/build/builder.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

/// Switches name it as Model Optimizer's class: extensions.front.Pack.Pack.
class Pack final : public Decomposition {
 public:
  Names ops() const override { return {"Pack"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const int64_t axis = node.get_int("axis");
    std::vector<OutPort> parts;
    for (int i = 0; i < node.in_count(); ++i) {
      require_input(node, i);
      parts.push_back(b.unsqueeze(node.source(i), {axis}));
    }
    if (parts.size() == 1) return parts;
    return {b.concat(parts, axis)};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(Pack)
}  // namespace mo

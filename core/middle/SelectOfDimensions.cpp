// Before: Select(Equal(s, c), a, s), s: computed from dimensions, none less than 0; c: constants less than 0
// After:  s
// Conditions: a has as many elements as s, or one. PyTorch exports expand() so: sizes of -1 are replaced, if there are.

#include <algorithm>

#include "core/rewrite/middle_replacement.h"

namespace mo {
namespace {

class SelectOfDimensions final : public MiddleReplacementPattern {
 public:
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes("Select")) {
      const OutPort condition = node->source(0), s = node->source(2);
      if (!condition || !s || condition.node().op() != "Equal" || !is_of_dimensions(s)) continue;
      if (!(node->out(0).tensor().shape == s.tensor().shape) || node->out(0).tensor().type != s.tensor().type) continue;
      bool never = false;
      for (int i = 0; i < 2; ++i)
        never |= condition.node().source(i) == s && is_negative(condition.node().source(1 - i));
      if (!never) continue;
      node->out(0).connection().set_source(s, TensorNames::Merge);
      graph.remove(*node);
    }
  }

 private:
  /// None is less than 0, as far as the sizes of inputs are known.
  static bool is_of_dimensions(OutPort s) {
    const auto& numbers = s.tensor().ints;
    return s.tensor().from_shape && numbers && s.tensor().shape.is_static() &&
           std::all_of(numbers->elements.begin(), numbers->elements.end(), [](Interval e) { return e.min >= 0; });
  }

  static bool is_negative(OutPort c) {
    const auto numbers = c ? c.exact_ints() : std::nullopt;
    return numbers && !numbers->empty() &&
           std::all_of(numbers->begin(), numbers->end(), [](int64_t number) { return number < 0; });
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(SelectOfDimensions)
}  // namespace mo

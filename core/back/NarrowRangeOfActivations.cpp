// Before: y = FakeQuantize(x, low, high, least, most), of 255 levels
// After:  y = FakeQuantize(Clamp(x, low, high), low - step, high, least - step, most), of 256 levels
// Conditions: x is no constant; the ranges are one number each; 0 is one of the levels. A runtime that computes in
// bytes divides the range into 255 steps instead of 254. Quantised training leaves such symmetric ranges.

#include <cmath>

#include "core/back/constant_operands.h"
#include "core/decompose/math/constants.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

constexpr int64_t kNarrow = 255;

struct Range {
  double low, high;
  double step() const { return (high - low) / (kNarrow - 1); }
  bool has_zero() const {
    const double index = low / step();
    return low <= 0 && high > 0 && std::abs(index - std::round(index)) < 1e-3;
  }
};

class NarrowRangeOfActivations final : public BackReplacementPattern {
 public:
  Names run_after() const override { return {"FakeQuantizeToRound"}; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes("FakeQuantize")) {
      const OutPort x = node->source(0);
      if (node->get_int("levels") != kNarrow || is_constant(x) || !is_float(x.tensor().type)) continue;
      Builder b(*node);
      const auto from = range(b, *node, 1), to = range(b, *node, 3);
      if (!from || !to || !from->has_zero() || !to->has_zero()) continue;
      node->in(0).connect(b.op("AttributedClamp", {x}, {{"min", from->low}, {"max", from->high}}));
      node->in(1).connect(b.scalar_like(x, from->low - from->step()));
      node->in(3).connect(b.scalar_like(x, to->low - to->step()));
      node->set("levels", kNarrow + 1);
    }
  }

 private:
  /// The limits at inputs `low` and behind it, if they are one number each.
  static std::optional<Range> range(Builder& b, const Node& node, int low) {
    const auto least = known_number(b, node.source(low)), most = known_number(b, node.source(low + 1));
    return least && most ? std::optional(Range{*least, *most}) : std::nullopt;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(NarrowRangeOfActivations)
}  // namespace mo

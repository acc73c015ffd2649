// Before: Reshape(x, pattern computed from dimensions of x)
// After:  Reshape(x, constant) {special_zero: true}: 0 for a dimension that is copied, -1 for the remaining one
// Conditions: every element of the pattern but one is a number, or at index i dimension i of x, or of any tensor that
// provably has the same dimension there. The pattern is a Concat of at least two computed parts, or of one and a -1 if x
// has an unknown dimension, because runtimes then do not know the last one either. Otherwise a single ShapeOf, Gather,
// Concat stays for readers of the IR that look for dimensions.

#include <algorithm>

#include "core/ops/dimension_origins.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class SimplifyReshapePatterns final : public BackReplacementPattern {
 public:
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    DimensionOrigins origins;
    for (Node* node : graph.nodes("Reshape")) {
      const OutPort x = node->source(0), pattern = node->source(1);
      if (!x || !pattern || !x.tensor().shape.has_rank()) continue;
      const int parts = computed_parts(pattern.node());
      if (parts < (x.tensor().shape.is_static() ? 2 : 1)) continue;
      const auto simple = simplified(x, pattern, node->get_bool("special_zero", true), origins);
      if (!simple || (parts == 1 && std::find(simple->begin(), simple->end(), -1) == simple->end())) continue;
      node->in(1).connect(graph.constant(make_i64(*simple), node->name() + "/pattern"));
      node->set("special_zero", true);
    }
  }

 private:
  static constexpr int64_t kMaxElements = 64;

  static int computed_parts(const Node& pattern) {
    int count = 0;
    for (int i = 0; i < pattern.in_count() && pattern.op() == "Concat"; ++i)
      count += pattern.has_in(i) && pattern.source(i).tensor().from_shape;
    return count;
  }

  static std::optional<Ints> simplified(OutPort x, OutPort from, bool special_zero, DimensionOrigins& origins) {
    const Interval count = from.tensor().shape.elements();
    if (!count.is_exact() || count.min < 1 || count.min > kMaxElements) return std::nullopt;
    Ints pattern;
    int left_over = 0;
    for (size_t i = 0; i < static_cast<size_t>(count.min); ++i) {
      const ShapeElement e = shape_element(from, i);
      if (e.kind == ShapeElement::Kind::Number) {
        if ((e.number == 0 && !special_zero) || e.number < -1) return std::nullopt;
        left_over += e.number == -1;
        pattern.push_back(e.number);
      } else if (e.kind == ShapeElement::Kind::Dimension && i < x.tensor().shape.dimensions().size() &&
                 origins.of(e.dimension) == origins.of({x, i})) {
        pattern.push_back(0);
      } else {
        ++left_over;
        pattern.push_back(-1);
      }
    }
    return left_over <= 1 ? std::optional<Ints>(pattern) : std::nullopt;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(SimplifyReshapePatterns)
}  // namespace mo

// Before: Reshape(x, pattern computed from dimensions of x)
// After:  Reshape(x, constant) {special_zero: true}: 0 for a dimension that is copied, -1 for the remaining one
// Conditions: every element of the pattern but one is a number, or at index i dimension i of x, or of any tensor that
// provably has the same dimension there. The pattern is a Concat of at least two computed parts. One part is enough if
// x has unknown dimensions and the part has several, or the -1 is a number that runtimes would not find. Otherwise a
// single ShapeOf, Gather, Concat stays for readers of the IR that look for dimensions.

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
      if (!simple || (parts == 1 && !is_worth_it(*node, *simple))) continue;
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

  /// Whether a pattern with one computed part has several dimensions there, or a -1 that is known.
  static bool is_worth_it(Node& node, const Ints& simple) {
    const Node& concat = node.source(1).node();
    for (int i = 0; i < concat.in_count(); ++i)
      if (const OutPort part = concat.source(i))
        if (part.tensor().from_shape && part.tensor().shape.elements().min > 1) return true;
    const PartialShape& result = node.out(0).tensor().shape;
    const auto rest = std::find(simple.begin(), simple.end(), -1);
    return rest != simple.end() && result.rank() == static_cast<int>(simple.size()) &&
           result[static_cast<size_t>(rest - simple.begin())].is_exact();
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

// Before: ReduceX(x, axes) {keep_dims: false} -> Reshape(pattern), or a Transpose that moves only dimensions of 1
// After:  ReduceX(x, axes) {keep_dims: true} -> Reshape(the shape of the result)
// Before: the same, where something else reads the reduction, too
// After:  ReduceX(x, axes) {keep_dims: false} -> Maximum(y, y) -> Reshape(pattern)
// Conditions: the result has as many dimensions as it, other ones, and 1 at the place
// of an axis that was reduced; at most one of them is unknown. A runtime takes such a Reshape for one that puts the
// reduced dimensions back, and leaves it out.

#include <algorithm>

#include "core/back/copied.h"
#include "core/back/transpose_order.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class ReshapeOfReduced final : public BackReplacementPattern {
 public:
  Names run_after() const override { return {"ReshapeAfterReduce"}; }
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    for (const char* op : {"Reshape", "Transpose"})
      for (Node* node : graph.nodes(op)) {
        const OutPort reduced = node->source(0);
        if (!reduced || !reduced.node().op().starts_with("Reduce")) continue;
        if (reduced.node().get_bool("keep_dims") || !is_taken_for_another(*node, reduced)) continue;
        if (reduced.reader_count() != 1) {
          node->in(0).connect(copied(Builder(*node), reduced));
          continue;
        }
        const auto pattern = pattern_of(node->out(0).tensor().shape);
        if (!pattern) continue;
        reduced.node().set("keep_dims", true);
        reduced.node().require_shape_inference();
        reduced.tensor().names.clear();  // the model's tensor has fewer dimensions
        graph.replace(*node, Builder(*node).reshape(reduced, *pattern, false).node());
      }
  }

 private:
  static bool is_taken_for_another(Node& node, OutPort reduced) {
    const PartialShape &before = reduced.tensor().shape, &after = node.out(0).tensor().shape;
    if (!before.has_rank() || before.rank() < 2 || after.rank() != before.rank() || before == after) return false;
    if (node.op() == "Transpose" ? !moves_only_ones(node, before) : !node.source(1).exact_ints()) return false;
    const auto axes = reduced.node().source(1).exact_ints();
    const PartialShape& whole = reduced.node().source(0).tensor().shape;
    return axes && whole.has_rank() && std::any_of(axes->begin(), axes->end(), [&](int64_t axis) {
             const int64_t at = axis < 0 ? axis + whole.rank() : axis;
             return at >= 0 && at < after.rank() && after[static_cast<size_t>(at)] == Dimension(1);
           });
  }

  static bool moves_only_ones(const Node& transpose, const PartialShape& shape) {
    const auto order = transpose_order(transpose);
    return order && keeps_elements(shape, *order);
  }

  static std::optional<Ints> pattern_of(const PartialShape& shape) {
    Ints pattern;
    for (const Dimension& size : shape.dimensions()) pattern.push_back(size.is_exact() ? size.min : -1);
    const bool is_empty = std::find(pattern.begin(), pattern.end(), 0) != pattern.end();
    return is_empty || std::count(pattern.begin(), pattern.end(), -1) > 1 ? std::nullopt : std::optional(pattern);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(ReshapeOfReduced)
}  // namespace mo

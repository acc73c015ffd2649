// Before: Slice(x, [0], Gather(ShapeOf(y), [i]), [1], [i])
// After:  StridedSlice(x, zeros, ShapeOf(y), ones), whose masks leave all dimensions but i whole
// Conditions: the Gather has no other consumer; y has no more dimensions than x. Such a slice cuts x to the size of
// another tensor: with masks the whole shape can be the end, and no Gather is needed.

#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class SliceToStridedSlice final : public BackReplacementPattern {
 public:
  Names run_after() const override { return {"BackStart", "GatherUnsqueezeFusion"}; }
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes("Slice")) {
      const OutPort x = node->source(0), end = node->source(2);
      const auto axis = node->source(4).exact_int();
      if (!x || !axis || node->source(1).exact_int() != 0 || node->source(3).exact_int() != 1 || !end ||
          end.node().op() != "Gather" || end.reader_count() != 1)
        continue;
      const OutPort shape = end.node().source(0);
      const auto index = end.node().source(1).exact_int();
      if (!index || !shape || shape.node().op() != "ShapeOf" || shape.tensor().type != ElementType::I64) continue;
      const int rank = shape.tensor().shape.elements().is_exact() ? static_cast<int>(shape.tensor().shape[0].min) : 0;
      if (rank < 1 || rank > x.tensor().shape.rank()) continue;
      const size_t at = normalize_axis(*index, rank);
      if (at != normalize_axis(*axis, x.tensor().shape.rank())) continue;

      Builder b(*node);
      const Ints zeros(static_cast<size_t>(rank), 0), ones(zeros.size(), 1);
      Ints whole = ones;
      whole[at] = 0;
      Node& made = b.node("StridedSlice", {x, b.i64(zeros), shape, b.i64(ones)},
                          {{"begin_mask", ones},
                           {"end_mask", whole},
                           {"new_axis_mask", Ints{}},
                           {"shrink_axis_mask", Ints{}},
                           {"ellipsis_mask", Ints{}}});
      graph.replace(*node, made);
    }
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(SliceToStridedSlice)
}  // namespace mo

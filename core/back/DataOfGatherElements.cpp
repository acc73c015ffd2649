// Before: y = GatherElements(x, indices) {axis}
// After:  y = GatherElements(StridedSlice(x), indices) {axis}
// Conditions: along another axis, the indices have a known number of elements, and x not as many for certain. IR wants
// as many. Indices of open sizes are taken to fit.

#include "core/ops/dimension_origins.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class DataOfGatherElements final : public BackReplacementPattern {
 public:
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    DimensionOrigins origins;
    for (Node* node : graph.nodes("GatherElements")) {
      const OutPort x = node->source(0), indices = node->source(1);
      const Ints shorter = shorter_axes(origins, x, indices, node->get_int("axis"));
      if (shorter.empty()) continue;
      // Runtimes remove a Slice here, and then refuse the shapes.
      Builder b(*node);
      const PartialShape& shape = indices.tensor().shape;
      const Ints zeros(shape.dimensions().size(), 0), ones(zeros.size(), 1);
      Ints whole = ones;
      for (const int64_t axis : shorter) whole[static_cast<size_t>(axis)] = 0;
      const OutPort begin = b.i64(zeros), step = b.i64(ones);
      const OutPort end = shape.is_static() ? b.i64(shape.to_shape()) : b.shape_of(indices);
      node->in(0).connect(b.op("StridedSlice", {x, begin, end, step},
                               {{"begin_mask", ones},
                                {"end_mask", whole},
                                {"new_axis_mask", Ints{}},
                                {"shrink_axis_mask", Ints{}},
                                {"ellipsis_mask", Ints{}}}));
    }
  }

 private:
  static Ints shorter_axes(DimensionOrigins& origins, OutPort x, OutPort indices, int64_t axis) {
    const PartialShape &data = x.tensor().shape, &wanted = indices.tensor().shape;
    if (!data.has_rank() || data.rank() != wanted.rank()) return {};
    Ints out;
    for (size_t i = 0; i < data.dimensions().size(); ++i) {
      if (i == normalize_axis(axis, data.rank())) continue;
      if (wanted[i].is_exact() && data[i] != wanted[i] && !(origins.of({x, i}) == origins.of({indices, i})))
        out.push_back(static_cast<int64_t>(i));
    }
    return out;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DataOfGatherElements)
}  // namespace mo

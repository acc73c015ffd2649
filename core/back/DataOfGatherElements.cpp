// Before: y = GatherElements(x, indices) {axis}
// After:  y = GatherElements(Slice(x), indices) {axis}
// Conditions: along another axis, the indices have fewer elements than x, or may have. IR wants as many.

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
      const Ints axes = shorter_axes(origins, x, indices, node->get_int("axis"));
      if (axes.empty()) continue;
      Builder b(*node);
      const OutPort begin = b.i64(Ints(axes.size(), 0)), end = b.dims_of(indices, axes);
      const OutPort step = b.i64(Ints(axes.size(), 1)), along = b.i64(axes);
      node->in(0).connect(b.op("Slice", {x, begin, end, step, along}));
    }
  }

 private:
  static Ints shorter_axes(DimensionOrigins& origins, OutPort x, OutPort indices, int64_t axis) {
    const PartialShape &data = x.tensor().shape, &wanted = indices.tensor().shape;
    if (!data.has_rank() || data.rank() != wanted.rank()) return {};
    Ints out;
    for (size_t i = 0; i < data.dimensions().size(); ++i) {
      if (i == normalize_axis(axis, data.rank())) continue;
      const bool is_same = data[i].is_exact() && data[i] == wanted[i];
      if (!is_same && !(origins.of({x, i}) == origins.of({indices, i}))) out.push_back(static_cast<int64_t>(i));
    }
    return out;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DataOfGatherElements)
}  // namespace mo

// Before: y = Gather(x, indices, axis) {batch_dims: n}
// After:  y = Gather(x, Squeeze(indices, [0 … n - 1]), axis)
// Conditions: the first n dimensions of x are 1, those of the indices 1 or unknown. A runtime crashes on the form with
// batch_dims, or gives wrong numbers.

#include <algorithm>
#include <numeric>

#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class GatherOfOneBatch final : public BackReplacementPattern {
 public:
  Names run_after() const override { return {"GatherNormalizer"}; }
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes("Gather")) {
      const OutPort x = node->source(0), indices = node->source(1);
      if (!x || !indices) continue;
      const PartialShape &data = x.tensor().shape, &places = indices.tensor().shape;
      int64_t batch = node->get_int("batch_dims");
      if (batch < 0 && places.has_rank()) batch += places.rank();
      if (batch < 1 || batch > data.rank() || batch > places.rank()) continue;
      const auto are_one = [&](const PartialShape& shape, bool open) {
        return std::all_of(shape.dimensions().begin(), shape.dimensions().begin() + batch,
                           [&](const Dimension& d) { return d == Dimension(1) || (open && !d.is_exact()); });
      };
      if (!are_one(data, false) || !are_one(places, true)) continue;
      Ints axes(static_cast<size_t>(batch));
      std::iota(axes.begin(), axes.end(), 0);
      Builder b(*node);
      node->in(1).connect(b.squeeze(indices, axes));
      node->set("batch_dims", int64_t{0});
      node->require_shape_inference();
    }
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(GatherOfOneBatch)
}  // namespace mo

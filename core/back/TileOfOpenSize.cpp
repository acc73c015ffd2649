// Before: y = Tile(x, repeats)
// After:  y = Reshape(Broadcast(Unsqueeze(x), repeats and 1), shape of x * repeats)
// Conditions: the repeats are known, and several are not 1; the rank is at least 4, axis 1 is 1, and a size is open. A
// runtime then takes a layout with the channels last, and mixes the numbers up.

#include <algorithm>

#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class TileOfOpenSize final : public BackReplacementPattern {
 public:
  Names run_before() const override { return {"SimplifyReshapePatterns"}; }
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes("Tile")) {
      const PartialShape& shape = node->source(0).tensor().shape;
      const auto repeats = node->source(1).exact_ints();
      if (shape.rank() < 4 || shape.is_static() || shape[1] != Dimension(1)) continue;
      if (!repeats || static_cast<int>(repeats->size()) != shape.rank()) continue;
      if (std::count(repeats->begin(), repeats->end(), 1) + 1 < shape.rank())
        graph.replace(*node, spread(Builder(*node), node->source(0), *repeats).node());
    }
  }

 private:
  /// An axis of 1 is broadcast as it is, any other gets one before it.
  static OutPort spread(Builder b, OutPort x, const Ints& repeats) {
    const PartialShape& shape = x.tensor().shape;
    Ints added, target;
    for (size_t i = 0; i < repeats.size(); ++i) {
      const bool one = repeats[i] == 1 || shape[i] == Dimension(1);
      if (!one) added.push_back(static_cast<int64_t>(target.size()));
      target.push_back(repeats[i]);
      if (!one) target.push_back(1);
    }
    const OutPort apart = added.empty() ? x : b.unsqueeze(x, added);
    const OutPort y = b.op("Broadcast", {apart, b.i64(target)}, {{"mode", "bidirectional"}});
    if (added.empty()) return y;
    const OutPort sizes = b.op("Mul", {b.shape_of(x), b.i64(repeats)});
    return b.op("Reshape", {y, sizes}, {{"special_zero", false}});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(TileOfOpenSize)
}  // namespace mo

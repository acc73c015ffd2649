// Before: y = AttributedTile(x, repeats) or, in operator sets up to 5, (x, tiles, axis)
// After:  y = Tile(x, repeats)
//         more than two repeats known at run time only: a new dimension of 1 before each dimension, Broadcast of the
//         new dimensions, Reshape; the runtime's Tile gives wrong elements there
// Conditions: with tiles and axis: the rank of x and the axis are known.

#include <algorithm>

#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeTile final : public Decomposition {
 public:
  Names ops() const override { return {"AttributedTile"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0), repeats = node.has_in(2) ? repeats_of_axis(b, node) : node.source(1);
    const int rank = x.tensor().shape.rank();
    const bool one_each = rank > 2 && repeats.tensor().shape.elements() == Interval(rank);
    if (one_each && unknown_repeats(repeats, rank) > 2)
      return {broadcast_tiles(b, x, b.convert(repeats, ElementType::I64), rank)};
    return {b.op("Tile", {x, repeats})};
  }

 private:
  /// 1 for all axes except the given one.
  static OutPort repeats_of_axis(Builder& b, const Node& node) {
    // Both have x's type, which is usually floating point.
    const auto axis = b.convert(node.source(2), ElementType::I64).tensor().ints;
    const int rank = node.source(0).tensor().shape.rank();
    if (rank < 0 || !axis || !axis->is_exact() || axis->elements.size() != 1)
      throw Error(Code::UnsupportedForm, "Tile along an axis known at run time only");
    std::vector<OutPort> parts(static_cast<size_t>(rank), b.i64({1}));
    parts[normalize_axis(axis->elements[0].min, rank)] =
        b.reshape(b.convert(node.source(1), ElementType::I64), {1}, false);
    return b.concat(parts, 0);
  }

  /// 0 when all are known, else how many may differ from 1.
  static int64_t unknown_repeats(OutPort repeats, int rank) {
    const auto& known = repeats.tensor().ints;
    if (!known) return rank;
    if (known->is_exact()) return 0;
    return std::count_if(known->elements.begin(), known->elements.end(), [](Interval r) { return r != Interval(1); });
  }

  static OutPort broadcast_tiles(Builder& b, OutPort x, OutPort repeats, int rank) {
    Ints between;
    for (int64_t i = 0; i < rank; ++i) between.push_back(2 * i);
    const OutPort shape = b.shape_of(x);
    const OutPort pairs = b.concat({b.unsqueeze(repeats, {1}), b.unsqueeze(shape, {1})}, 1);
    const OutPort tiles =
        b.op("Broadcast", {b.unsqueeze(x, between), b.reshape(pairs, {-1}, false)}, {{"mode", "numpy"}});
    return b.op("Reshape", {tiles, b.op("Mul", {repeats, shape})}, {{"special_zero", false}});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeTile)
}  // namespace mo

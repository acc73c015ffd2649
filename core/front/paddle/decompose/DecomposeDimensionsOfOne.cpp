// Before: y = AtLeast1D(x)
// After:  y = x; of a tensor without dimensions Reshape(x, [1])
// Before: y = IndexList(x)
// After:  y = x; of a column Reshape(x, [-1])
// Before: y = SqueezeOnes(x [, axes])
// After:  y = Squeeze(x, those of the axes along which x may have one element)
// Before: y = UnsqueezeInTurn(x, axes): each axis is one of the result of those before it
// After:  y = Unsqueeze(x, axes), or Reshape as for ExpandDims
// Before: y = WithRankOf(x, like)
// After:  y = Reshape(x, as many ones as like has dimensions)
// Conditions: none.

#include <algorithm>

#include "core/decompose/nested.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeDimensionsOfOne final : public Decomposition {
 public:
  Names ops() const override { return {"AtLeast1D", "IndexList", "SqueezeOnes", "UnsqueezeInTurn", "WithRankOf"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0);
    const std::string& op = node.op();
    const int rank = x.tensor().shape.rank();
    if (op == "AtLeast1D") return {rank == 0 ? b.reshape(x, {1}, false) : x};
    if (op == "IndexList") return {rank == 2 ? b.reshape(x, {-1}, false) : x};
    if (op == "SqueezeOnes") return {squeezed(b, node, x)};
    if (op == "WithRankOf") return {with_rank(b, x, node.source(1))};
    return {unsqueezed(b, x, node.source(1), rank)};
  }

 private:
  static OutPort squeezed(Builder& b, const Node& node, OutPort x) {
    if (!node.has_in(1)) return b.op("Squeeze", {x});
    const OutPort axes = node.source(1);
    const auto known = axes.tensor().exact_ints();
    const PartialShape& shape = x.tensor().shape;
    if (!known || !shape.has_rank()) return b.op("Squeeze", {x, axes});
    Ints ones;
    for (const int64_t axis : *known) {
      const size_t at = normalize_axis(axis, shape.rank());
      const bool may_be_one = shape[at].min <= 1 && shape[at].max >= 1;
      const auto place = static_cast<int64_t>(at);
      if (may_be_one && std::find(ones.begin(), ones.end(), place) == ones.end()) ones.push_back(place);
    }
    std::sort(ones.begin(), ones.end());
    return ones.empty() ? x : b.squeeze(x, ones);
  }

  /// All numbers from the front of the result, in ascending order.
  static OutPort unsqueezed(Builder& b, OutPort x, OutPort axes, int rank) {
    const auto known = axes.tensor().exact_ints();
    if (!known || rank < 0 || known->size() > 64) return decomposed(b, "ExpandDims", {x, axes}, {})[0];
    Ints added;
    for (const int64_t axis : *known) {
      const auto at = static_cast<int64_t>(normalize_axis(axis, rank + static_cast<int>(added.size()) + 1));
      for (int64_t& before : added) before += before >= at;
      added.push_back(at);
    }
    std::sort(added.begin(), added.end());
    return added.empty() ? x : b.unsqueeze(x, added);
  }

  static OutPort with_rank(Builder& b, OutPort x, OutPort like) {
    const int rank = like.tensor().shape.rank();
    if (rank >= 0) return b.reshape(x, Ints(static_cast<size_t>(rank), 1), false);
    return b.op("Reshape", {x, b.op("Broadcast", {b.i64_scalar(1), b.shape_of(b.shape_of(like))}, {{"mode", "numpy"}})},
                {{"special_zero", false}});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeDimensionsOfOne)
}  // namespace mo

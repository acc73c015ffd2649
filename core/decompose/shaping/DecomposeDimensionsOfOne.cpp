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
// Before: y = Scalar(x) {dst_type}
// After:  y = x, of one element, without dimensions, and of that type
// Before: y = IntegerList(parts…)
// After:  y = the parts as one list, which is i64 unless all of them have one type; of several parts each is a number
// Before: y = Cast(x) to the type of x
// After:  y = x
// Conditions: none.

#include <algorithm>

#include "core/decompose/control/nested.h"
#include "core/decompose/math/constants.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeDimensionsOfOne final : public Decomposition {
 public:
  Names ops() const override {
    return {"AtLeast1D", "IndexList", "SqueezeOnes", "UnsqueezeInTurn", "WithRankOf", "Scalar", "IntegerList", "Cast"};
  }
  bool applies(const Node& node) const override {
    return node.op() != "Cast" || (node.has_in(0) && node.source(0).tensor().type == node.get_type("dst_type"));
  }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0);
    const std::string& op = node.op();
    const int rank = x.tensor().shape.rank();
    if (op == "Cast") return {x};
    if (op == "Scalar") return {scalar(b, node, x, rank)};
    if (op == "IntegerList") return {list(b, node)};
    if (op == "AtLeast1D") return {rank == 0 ? b.reshape(x, {1}, false) : x};
    if (op == "IndexList") return {rank == 2 ? flat(b, x) : x};
    if (op == "SqueezeOnes") return {squeezed(b, node, x)};
    if (op == "WithRankOf") return {with_rank(b, x, node.source(1))};
    return {unsqueezed(b, x, node.source(1), rank)};
  }

 private:
  /// x as a list; a constant stays one.
  static OutPort flat(Builder& b, OutPort x) {
    const auto& value = x.tensor().value;
    return value ? reshaped(b, x, {static_cast<int64_t>(value->elements())}) : b.reshape(x, {-1}, false);
  }

  static OutPort scalar(Builder& b, const Node& node, OutPort x, int rank) {
    const ElementType type = node.get_type("dst_type", x.tensor().type);
    if (const auto& value = x.tensor().value; value && value->elements() == 1 && type != ElementType::Unknown)
      return b.constant(convert(reshape(*value, {}), type));
    x = b.convert(x, type);
    return rank == 0 ? x : b.reshape(x, {}, false);
  }

  /// An element that a Gather takes of a list is taken as a list.
  static OutPort one_of_list(Builder& b, OutPort x) {
    OutPort made = x;
    while (made.node().op() == "Identity" && made.node().has_in(0)) made = made.node().source(0);
    const Node& gather = made.node();
    if (gather.op() != "Gather" || x.tensor().shape.rank() != 0) return flat(b, x);
    const auto place = gather.source(1).tensor().exact_int();
    const OutPort all = gather.source(0);
    return place && all.tensor().shape.rank() == 1 ? b.gather(all, b.i64({*place}), 0) : flat(b, x);
  }

  static OutPort list(Builder& b, const Node& node) {
    std::vector<OutPort> parts;
    const ElementType type = node.source(0).tensor().type;
    bool one_type = type == ElementType::I32 || type == ElementType::I64;
    for (int i = 0; i < node.in_count(); ++i) {
      require_input(node, i);
      one_type &= node.source(i).tensor().type == type;
    }
    for (int i = 0; i < node.in_count(); ++i) {
      OutPort part = node.source(i);
      const PartialShape& shape = part.tensor().shape;
      if (node.in_count() > 1 && (shape.rank() < 0 || (shape.rank() == 1 && !shape[0].is_exact())))
        part = b.reshape(part, {1}, false);
      else if (shape.rank() != 1)
        part = one_of_list(b, part);
      parts.push_back(one_type ? part : b.convert(part, ElementType::I64));
    }
    return parts.size() == 1 ? parts[0] : b.concat(parts, 0);
  }

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

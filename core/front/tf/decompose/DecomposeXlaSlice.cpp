// Before: y = XlaDynamicSlice(x, starts, sizes)
// After:  y = Gather(x, start, start + 1…) along each axis of which not all is taken; a slice that would leave x is
//         moved inside
// Before: y, z = XlaBroadcastHelper(lhs, rhs, broadcast_dims)
// After:  the operand of lower rank with dimensions of 1, so that broadcast_dims are its own axes
// Conditions: the ranks are known, and the sizes of slices where they are not all of x.

#include <algorithm>

#include "core/front/tf/decompose/xla.h"
#include "core/rewrite/transform.h"

namespace mo::xla {
namespace {

class DecomposeXlaSlice final : public Decomposition {
 public:
  Names ops() const override { return {"XlaDynamicSlice", "XlaBroadcastHelper"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    if (node.op() == "XlaBroadcastHelper") return aligned(b, node);
    return {slice(b, node)};
  }

 private:
  static OutPort slice(Builder& b, const Node& node) {
    const size_t rank = rank_of(node, 0);
    for (const int i : {1, 2}) require_input(node, i);
    OutPort x = node.source(0);
    const auto& known = node.source(2).tensor().ints;
    Ints sizes(rank, -1);
    if (known && known->elements.size() != rank) throw Error(Code::ShapeMismatch, "the sizes of a slice");
    for (size_t i = 0; i < rank && known; ++i)
      if (known->elements[i].is_exact()) sizes[i] = known->elements[i].min;
    const PartialShape shape = x.tensor().shape;
    const OutPort starts = inside(b, node.source(1), x, counted_axes(rank), sizes);
    for (size_t i = 0; i < rank; ++i) {
      const auto axis = static_cast<int64_t>(i);
      if (sizes[i] < 0 || (shape[i].is_exact() && shape[i].min == sizes[i])) continue;
      const OutPort start = b.gather(starts, b.i64({axis}), 0);
      const OutPort taken = in_window(b, start, sizes[i]);
      x = b.gather(x, taken, axis);
    }
    return x;
  }

  static std::vector<OutPort> aligned(Builder& b, const Node& node) {
    const size_t first = rank_of(node, 0), second = rank_of(node, 1);
    const Ints dims = node.source(2) ? node.source(2).exact_ints().value_or(Ints()) : Ints();
    const size_t rank = std::max(first, second);
    const auto wide = [&](OutPort x, size_t own) {
      if (own == rank || own == 0) return x;
      if (dims.size() != own) throw Error(Code::BadValue, msg("broadcast_dims has ", dims.size(), " axes for ", own));
      return b.unsqueeze(x, other_axes(rank, {&dims}));
    };
    return {wide(node.source(0), first), wide(node.source(1), second)};
  }
};

}  // namespace
}  // namespace mo::xla

namespace mo {
using xla::DecomposeXlaSlice;
MO_DEFINE_TRANSFORM(DecomposeXlaSlice)
}  // namespace mo

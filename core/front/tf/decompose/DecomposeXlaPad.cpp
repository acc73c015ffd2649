// Before: y = XlaPad(x, value, low, high, interior)
// After:  y = Pad(x, low, high, value), and Slice where a number is negative; with elements between those of x, each of
//         them first gets the others behind it in an axis of its own
// Conditions: interior is constant; low and high are, or all of them are at least 0.

#include "core/decompose/shaping/shaping.h"
#include "core/decompose/spatial/padding.h"
#include "core/front/tf/decompose/xla.h"
#include "core/rewrite/transform.h"

namespace mo::xla {
namespace {

class DecomposeXlaPad final : public Decomposition {
 public:
  Names ops() const override { return {"XlaPad"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const size_t rank = rank_of(node, 0);
    for (int i = 1; i < 5; ++i) require_input(node, i);
    const OutPort x = node.source(0), value = to_scalar(b, node.source(1)), low = node.source(2), high = node.source(3);
    const Ints interior = numbers_of(node, 4, rank);
    for (const int64_t number : interior)
      if (number < 0) throw Error(Code::BadValue, msg("padding of ", number, " between elements"));
    if (low.exact_ints() && high.exact_ints())
      return {padded(b, x, value, numbers_of(node, 2, rank), numbers_of(node, 3, rank), interior)};
    const OutPort wide = padded(b, x, value, Ints(rank, 0), Ints(rank, 0), interior);
    const auto as_pads = [&](OutPort pads) { return b.convert(pads, ElementType::I64); };
    const OutPort begin = as_pads(low), end = as_pads(high);
    return {padded_with(b, wide, begin, end, value)};
  }
};

}  // namespace
}  // namespace mo::xla

namespace mo {
using xla::DecomposeXlaPad;
MO_DEFINE_TRANSFORM(DecomposeXlaPad)
}  // namespace mo

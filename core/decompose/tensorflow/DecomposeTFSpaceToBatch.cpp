// Before: y = TFSpaceToBatch(x, block [n], pads [n, 2]), TFBatchToSpace(x, block [n], crops [n, 2])
// After:  y = SpaceToBatch, BatchToSpace of x, with a block and pads for each axis: the first is the batch, those
//         behind n spatial axes have none. If x is a FakeQuantize, a Pad has the pads: the runtime's SpaceToBatch of
//         integers pads with the integer 0, which is not the number 0 where there is a zero point.
// Conditions: the rank of x and n are known.

#include "core/decompose/spatial/padding.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeTFSpaceToBatch final : public Decomposition {
 public:
  Names ops() const override { return {"TFSpaceToBatch", "TFBatchToSpace"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0), block = b.convert(node.source(1), ElementType::I64);
    const OutPort pads = b.convert(node.source(2), ElementType::I64);
    const int64_t rank = x.tensor().shape.rank();
    const Interval count = block.tensor().shape.elements();
    if (rank < 0 || !count.is_exact() || count.min >= rank)
      throw Error(Code::UnsupportedForm, "blocks whose axes are not known");
    const auto spread = [&](OutPort numbers, int64_t other) {
      const OutPort batch = b.i64({other});
      if (count.min == rank - 1) return b.concat({batch, numbers}, 0);
      return b.concat({batch, numbers, b.i64(Ints(static_cast<size_t>(rank - 1 - count.min), other))}, 0);
    };
    const auto column = [&](int64_t i) { return spread(b.gather(pads, b.i64_scalar(i), 1), 0); };
    const OutPort blocks = spread(block, 1), begin = column(0), end = column(1);
    if (node.op() == "TFBatchToSpace") return {b.op("BatchToSpace", {x, blocks, begin, end})};
    if (x.node().op() != "FakeQuantize" || (pads_nothing(begin) && pads_nothing(end)))
      return {b.op("SpaceToBatch", {x, blocks, begin, end})};
    const OutPort zero = b.scalar_like(x, 0), padded = padded_with(b, x, begin, end, zero);
    const OutPort none = b.i64(Ints(static_cast<size_t>(rank), 0));
    return {b.op("SpaceToBatch", {padded, blocks, none, none})};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeTFSpaceToBatch)
}  // namespace mo

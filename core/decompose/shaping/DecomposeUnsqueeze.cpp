// Before: y = ExpandDims(x) {axes} or (x, axes)
// After:  y = Unsqueeze(x, axes)
//         axes known at run time only, if their number is known: Reshape to the shape of x with ones at the axes,
//         because the runtime could not infer the rank
// Conditions: none.

#include "core/decompose/shaping/shaping.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeUnsqueeze final : public Decomposition {
 public:
  Names ops() const override { return {"ExpandDims"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0);
    if (node.attributes.get_if<Ints>("axes")) return {b.unsqueeze(x, node.get_ints("axes"))};
    require_input(node, 1);
    const OutPort axes = node.source(1);
    const auto& known = axes.tensor().ints;
    const Interval count = axes.tensor().shape.elements();
    const int rank = x.tensor().shape.rank();
    if ((known && known->is_exact()) || rank < 0 || !count.is_exact() || count.min > 64)
      return {b.op("Unsqueeze", {x, axes})};
    return {b.op("Reshape", {x, shape_with_ones(b, x, b.convert(axes, ElementType::I64), rank, count.min)},
                 {{"special_zero", false}})};
  }

 private:
  static OutPort shape_with_ones(Builder& b, OutPort x, OutPort axes, int rank, int64_t count) {
    const OutPort ones = b.i64(Ints(static_cast<size_t>(rank + count), 1));
    if (rank == 0) return ones;
    const OutPort flat = b.reshape(axes, {count}, false);
    const OutPort positions = from_front(b, flat, b.i64_scalar(rank + count));
    const OutPort zeros = b.i64(Ints(static_cast<size_t>(count), 0));
    const OutPort kept = b.op("ScatterElementsUpdate", {ones, positions, zeros, b.i64_scalar(0)});
    // A kept dimension's position in the shape of x is the number of kept dimensions before it.
    const OutPort before = b.op("CumSum", {kept, b.i64_scalar(0)}, {{"exclusive", true}});
    const OutPort shape = b.shape_of(x);
    const OutPort sizes = b.gather(shape, b.op("Minimum", {before, b.i64_scalar(rank - 1)}), 0);
    return b.op("Select", {b.op("Equal", {kept, ones}), sizes, ones});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeUnsqueeze)
}  // namespace mo

// Before: y = TFGather(x, indices, axis) {batch_dims}
// After:  y = Gather(x, indices, axis) {batch_dims}
//         an axis known at run time only, which the runtime does not take: Gather(x as [before, axis, behind], indices,
//         1)
// Conditions: none.

#include "core/decompose/shaping/shaping.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeTFGather final : public Decomposition {
 public:
  Names ops() const override { return {"TFGather"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0), indices = node.source(1), axis = node.source(2);
    const int64_t batch = node.get_int("batch_dims");
    if (batch != 0 || axis.tensor().exact_int()) return {b.op("Gather", {x, indices, axis}, {{"batch_dims", batch}})};
    return {along_computed_axis(b, x, indices, axis)};
  }

 private:
  static OutPort along_computed_axis(Builder& b, OutPort x, OutPort indices, OutPort axis) {
    const OutPort shape = b.shape_of(x), list = b.reshape(b.convert(axis, ElementType::I64), {1}, false);
    const OutPort at = from_front(b, list, b.shape_of(shape)), one = b.i64({1}), first = b.i64({0});
    const OutPort before = b.op("Slice", {shape, first, at, one, first});
    const OutPort behind = b.op("Slice", {shape, b.op("Add", {at, one}), b.i64({INT64_MAX}), one, first});
    const OutPort rows = b.reduce("ReduceProd", before, {0}, true), columns = b.reduce("ReduceProd", behind, {0}, true);
    const OutPort flat = b.concat({rows, b.gather(shape, at, 0), columns}, 0);
    const OutPort y = b.gather(b.op("Reshape", {x, flat}, {{"special_zero", false}}), indices, 1);
    OutPort result = b.concat({before, b.shape_of(indices), behind}, 0);
    const int rank = x.tensor().shape.rank(), more = indices.tensor().shape.rank();
    if (rank > 0 && more >= 0) result = b.reshape(result, {rank - 1 + more}, false);
    return b.op("Reshape", {y, result}, {{"special_zero", false}});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeTFGather)
}  // namespace mo

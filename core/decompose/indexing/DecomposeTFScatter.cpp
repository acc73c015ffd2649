// Before: y = TFScatterND(indices, updates, shape)
// After:  y = ScatterNDUpdate(zeros of that shape, indices, updates) {sum}
// Before: y = SparseToDense(indices, shape, values, default)
// After:  y = ScatterNDUpdate(default in that shape, indices as [n, rank], values)
// Before: y = DynamicStitch(indices0, indices1, …, x0, x1, …)
// After:  y = ScatterNDUpdate(zeros, all indices, all x)
// Before: y = InvertPermutation(x)
// After:  y = ScatterElementsUpdate(x, x, [0, 1, …])
// Conditions: DynamicStitch: the ranks of the indices are known.

#include "core/decompose/indexing/rows.h"
#include "core/decompose/math/constants.h"
#include "core/decompose/shaping/shaping.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

OutPort broadcast_to(Builder& b, OutPort x, OutPort shape) {
  return b.op("Broadcast", {x, shape}, {{"mode", "numpy"}});
}

class DecomposeTFScatter final : public Decomposition {
 public:
  Names ops() const override { return {"TFScatterND", "SparseToDense", "DynamicStitch", "InvertPermutation"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    if (node.op() == "SparseToDense") return {to_dense(b, node)};
    if (node.op() == "DynamicStitch") return {stitch(b, node)};
    const OutPort x = node.source(0);
    if (node.op() == "InvertPermutation") {
      const OutPort places = convert_like(b, counted(b, dimension_of(b, x, 0)), x);
      return {b.op("ScatterElementsUpdate", {x, x, places, b.i64_scalar(0)})};
    }
    const OutPort updates = node.source(1), zeros = broadcast_to(b, b.scalar_like(updates, 0), node.source(2));
    return {b.op("ScatterNDUpdate", {zeros, x, updates}, {{"reduction", "sum"}})};
  }

 private:
  static OutPort to_dense(Builder& b, const Node& node) {
    OutPort indices = node.source(0);
    const OutPort shape = node.source(1);
    if (indices.tensor().shape.rank() != 2) {
      const Interval rank = shape.tensor().shape.elements();
      if (!rank.is_exact()) throw Error(Code::UnsupportedForm, "indices of unknown rank");
      indices = b.reshape(indices, {-1, rank.min}, false);
    }
    const OutPort values = broadcast_to(b, node.source(2), b.dims_of(indices, {0}));
    return b.op("ScatterNDUpdate", {broadcast_to(b, node.source(3), shape), indices, values});
  }

  static OutPort stitch(Builder& b, const Node& node) {
    const int count = node.in_count() / 2;
    std::vector<OutPort> indices, parts;
    for (int i = 0; i < count; ++i) {
      const int rank = node.source(i).tensor().shape.rank();
      if (rank < 0) throw Error(Code::UnsupportedForm, "DynamicStitch by indices of unknown rank");
      indices.push_back(b.reshape(node.source(i), {-1, 1}, false));
      parts.push_back(as_rows(b, node.source(count + i), rank));
    }
    const OutPort places = b.concat(indices, 0), x = b.concat(parts, 0);
    const OutPort last = b.convert(b.reduce("ReduceMax", places, {0}, false), ElementType::I64);
    const OutPort rows = b.op("Add", {last, b.i64({1})});
    return b.op("ScatterNDUpdate", {filled_rows(b, b.scalar_like(x, 0), rows, x), places, x});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeTFScatter)
}  // namespace mo

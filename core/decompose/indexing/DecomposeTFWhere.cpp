// Before: y = TFWhere(condition)
// After:  y = Transpose(NonZero(condition))
// Before: y = TFSelect(condition, then, otherwise)
// After:  y = Select(condition with dimensions of 1 behind, then, otherwise)
// Before: values, indices = ListDiff(x, y)
// After:  values, indices = Gather(x, positions), positions of elements that equal none of y
// Before: y0, y1, … = DynamicPartition(x, partitions)
// After:  y0, y1, … = Gather(x, positions where partitions is 0, 1, …)
// Conditions: DynamicPartition: the rank of partitions is known.

#include "core/decompose/indexing/rows.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeTFWhere final : public Decomposition {
 public:
  Names ops() const override { return {"TFWhere", "TFSelect", "ListDiff", "DynamicPartition"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0);
    if (node.op() == "TFWhere") return {b.transpose(b.op("NonZero", {x}, {{"output_type", ElementType::I64}}), {1, 0})};
    if (node.op() == "TFSelect")
      return {b.op("Select", {aligned(b, x, node.source(1)), node.source(1), node.source(2)})};
    if (node.op() == "DynamicPartition") return partitions(b, node);
    const OutPort same = b.op("Equal", {b.unsqueeze(x, {1}), b.unsqueeze(node.source(1), {0})});
    const OutPort kept = positions(b, b.op("LogicalNot", {b.reduce("ReduceLogicalOr", same, {1}, false)}));
    return {b.gather(x, kept, 0), b.convert(kept, node.get_type("out_idx"))};
  }

 private:
  static OutPort positions(Builder& b, OutPort condition) {
    return b.squeeze(b.op("NonZero", {condition}, {{"output_type", ElementType::I64}}), {0});
  }

  /// A condition of one dimension is for the rows.
  static OutPort aligned(Builder& b, OutPort condition, OutPort x) {
    const int from = condition.tensor().shape.rank(), to = x.tensor().shape.rank();
    if (from == 0 || from == to) return condition;
    if (from < 0 || to < 0) {
      const OutPort shape = b.shape_of(condition), all = b.shape_of(x);
      const OutPort more = b.op("Sub", {b.shape_of(all), b.shape_of(shape)});
      const OutPort ones = b.op("Broadcast", {b.i64_scalar(1), more}, {{"mode", "numpy"}});
      return b.op("Reshape", {condition, b.concat({shape, ones}, 0)}, {{"special_zero", false}});
    }
    Ints axes;
    for (int i = from; i < to; ++i) axes.push_back(i);
    return b.unsqueeze(condition, axes);
  }

  static std::vector<OutPort> partitions(Builder& b, const Node& node) {
    OutPort x = node.source(0), numbers = node.source(1);
    const int rank = numbers.tensor().shape.rank();
    if (rank < 0) throw Error(Code::UnsupportedForm, "partitions of unknown rank");
    if (rank != 1) {
      x = as_rows(b, x, rank);
      numbers = b.reshape(numbers, {-1}, false);
    }
    std::vector<OutPort> parts;
    for (int i = 0; i < node.out_count(); ++i) {
      const OutPort condition = b.op("Equal", {numbers, b.scalar_like(numbers, i)});
      parts.push_back(b.gather(x, positions(b, condition), 0));
    }
    return parts;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeTFWhere)
}  // namespace mo

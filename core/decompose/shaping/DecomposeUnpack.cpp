// Before: y0, y1, … = Unpack(x) {axis}
// After:  y0, y1, … = Squeeze(parts of Split(x, axis), axis)
// Before: y0, y1, … = IdentityN(x0, x1, …)
// After:  y0, y1, … = x0, x1, …
// Before: y = ReverseV2(x, axes)
// After:  y = Reverse(x, axes) {index}; without axes x
// Before: y0, y1, … = ConcatOffset(axis, shapes)
// After:  yi = the sum of the shapes before i along the axis, else 0
// Conditions: none.

#include "core/decompose/shaping/shaping.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeUnpack final : public Decomposition {
 public:
  Names ops() const override { return {"Unpack", "IdentityN", "ReverseV2", "ConcatOffset"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    if (node.op() == "Unpack") return unpack(b, node);
    if (node.op() == "ConcatOffset") return offsets(b, node);
    if (node.op() == "ReverseV2") {
      const OutPort x = node.source(0), axes = node.source(1);
      if (axes.tensor().shape.elements() == Interval(0)) return {x};
      return {b.op("Reverse", {x, axes}, {{"mode", "index"}})};
    }
    std::vector<OutPort> inputs;
    for (int i = 0; i < node.in_count(); ++i) {
      require_input(node, i);
      inputs.push_back(node.source(i));
    }
    return inputs;
  }

 private:
  static std::vector<OutPort> offsets(Builder& b, const Node& node) {
    const OutPort first = node.source(1), rank = b.squeeze(b.shape_of(first), {0}),
                  axis = to_i64_scalar(b, node.source(0));
    const OutPort is_axis = b.op("Equal", {counted(b, rank), from_front(b, axis, rank)}),
                  zero = b.scalar_like(first, 0);
    OutPort sum = b.op("Sub", {first, first});
    std::vector<OutPort> all;
    for (int i = 1; i < node.in_count(); ++i) {
      all.push_back(sum);
      sum = b.op("Add", {sum, b.op("Select", {is_axis, node.source(i), zero})});
    }
    return all;
  }

  static std::vector<OutPort> unpack(Builder& b, const Node& node) {
    const OutPort x = node.source(0);
    const int64_t axis = node.get_int("axis");
    const int count = node.out_count();
    if (count == 1) return {b.squeeze(x, {axis})};
    Node& split = b.node("Split", {x, b.i64_scalar(axis)}, {{"num_splits", int64_t{count}}}, count);
    std::vector<OutPort> parts;
    for (int i = 0; i < count; ++i) parts.push_back(b.squeeze(split.out(i), {axis}));
    return parts;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeUnpack)
}  // namespace mo
